#include <catch2/catch.hpp>
#include <sstream>

#include "core/text.hpp"
#include "report/verdict_tables.hpp"
#include "tests/report/printed_tables.hpp"
#include "tests/verdicts/side_fixture.hpp"

namespace hockney::report {

using verdicts::side;
namespace {

const std::vector<double> base{1.00e-6, 1.01e-6, 1.02e-6, 1.03e-6, 1.04e-6, 1.05e-6};
const std::vector<double> doubled{2.00e-6, 2.02e-6, 2.04e-6, 2.06e-6, 2.08e-6, 2.10e-6};

std::vector<std::string> lines_of(const verdicts::CompareSet& set) {
  std::ostringstream text;
  print_compare_table(text, set);
  return strings_of(split(text.str(), '\n'), squeezed);
}

std::vector<double> first(std::size_t n, const std::vector<double>& seconds) {
  return {seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(n)};
}

}  // namespace

TEST_CASE("the compare table shows both absolute values beside every ratio") {
  const auto lines =
      lines_of(verdicts::compare(verdicts::sides_of("eager", {{8, base}, {1024, base}}),
                                 verdicts::sides_of("rendezvous", {{8, base}, {1024, doubled}})));
  REQUIRE(lines.size() == 14);
  CHECK(lines[0] == "A: records, setting eager, 6 launches");
  CHECK(lines[1] == "B: records, setting rendezvous, 6 launches");
  CHECK(lines[2].starts_with("note: A and B were measured apart"));
  CHECK(lines[4] == "# size[B] launches A[us] interval[us] B[us] interval[us] B/A interval p B is");
  CHECK(lines[6] == "# pingpong ranks=2");
  // Intervals of B/A are those of both points together: the same about 1 and about 2, and a little
  // wider than 1.02/1.05 .. 1.05/1.02, the sixth ratio from each end.
  CHECK(lines[7] ==
        "8 6 + 6 1.025 1.000 .. 1.050 1.025 1.000 .. 1.050 1.000 0.9700 .. 1.031 1.00 no evidence");
  CHECK(lines[8] ==
        "1K 6 + 6 1.025 1.000 .. 1.050 2.050 2.000 .. 2.100 2.000 1.940 .. 2.062 0.00216 slower");
  CHECK(lines[9].empty());
}

TEST_CASE("the compare table names the MPI library in short") {
  auto a = side("a", base);
  a.back().provenance.mpi.library = "Open MPI v4.1.4, package: Debian OpenMPI, May 26, 2022";
  CHECK(lines_of(verdicts::compare(a, side("b", base)))[0] ==
        "A: records, setting a, Open MPI v4.1.4, 6 launches");
}

TEST_CASE("the last line of the compare table says what the verdicts hold for") {
  const auto last = [](const verdicts::CompareOptions& options) {
    const auto lines = lines_of(compare(side("a", base), side("b", doubled), options));
    return lines.at(lines.size() - 2);
  };
  const std::string meaning =
      "; no evidence: these launches do not show that B differs, nor that it is equal";
  CHECK(last({}) == "family: 1 point, p corrected by max-T over launches, alpha 0.05" + meaning);
  CHECK(last({.alpha = 0.01, .at_least = 0.05, .correction = verdicts::Correction::none}) ==
        "family: 1 point, p not corrected, alpha 0.01, differences of more than 5 %" + meaning);
}

TEST_CASE("the compare table of one campaign says how many launches were paired") {
  const auto lines = lines_of(verdicts::compare(side("a", base), side("b", doubled),
                                                {.origin = verdicts::Origin::one_campaign}));
  CHECK(lines[5].starts_with("# pingpong"));
  CHECK(lines[6].starts_with("8 6 pairs"));
}

TEST_CASE("the compare table says why launches are too few") {
  const auto unpaired = lines_of(
      verdicts::compare(verdicts::sides_of("a", {{8, first(3, base)}, {16, first(3, base)}}),
                        verdicts::sides_of("b", {{8, first(3, doubled)}, {16, first(3, doubled)}}),
                        {.correction = verdicts::Correction::holm}));
  CHECK_THAT(unpaired[7], Catch::EndsWith("no evidence"));
  CHECK(unpaired[9] ==
        "# note: 3 + 3 launches are too few to show any difference (smallest p 0.100 times 2 "
        "points); 5 launches a side needed");
  const auto paired =
      lines_of(verdicts::compare(side("a", first(5, base)), side("b", first(5, doubled)),
                                 {.origin = verdicts::Origin::one_campaign}));
  CHECK(paired[7] ==
        "# note: 5 pairs are too few to show any difference (smallest p 0.0625); 6 launches a side "
        "needed");
}

TEST_CASE("the compare table lists what lacks a side") {
  auto a = verdicts::sides_of("a", {{8, base}, {16, base}});
  auto b = verdicts::sides_of("b", {{8, base}, {32, base}});
  for (Record& record : b) add_skipped(record, simple_point("pingpong", 16), "budget spent");
  const auto lines = lines_of(verdicts::compare(a, b));
  REQUIRE(lines.size() == 19);
  CHECK(lines[10] == "only in A");
  CHECK(lines[11] == "pingpong ranks=2 16 (B: not measured: budget spent)");
  CHECK(lines[13] == "only in B");
  CHECK(lines[14] == "pingpong ranks=2 32 (A: not planned)");
}

}  // namespace hockney::report
