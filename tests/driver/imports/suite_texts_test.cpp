#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "driver/imports/suite_run.hpp"
#include "tests/support/text_forms.hpp"

// What tables of all forms are read as.
namespace hockney::imports {
namespace {

/// Every figure as "operation bytes B ranks=N key=value ... microseconds", and what was not taken.
std::vector<std::string> figures_of(const std::vector<SuiteRun>& runs) {
  std::vector<std::string> found;
  for (const SuiteRun& run : runs) {
    for (const SuiteFigure& figure : run.figures) {
      const Point& point = figure.point;
      std::string text = point.operation + " " + std::to_string(point.bytes.value) +
                         " ranks=" + std::to_string(point.ranks);
      if (point.hop) text += " hop=" + *point.hop;
      for (const auto& [key, value] : point.parameters) {
        if (key != "timing") text += " " + key + "=" + value;
      }
      std::string time = std::to_string(figure.seconds * 1e6);
      time.resize(time.find('.') + 3);
      found.push_back(text + (figure.is_corrupt ? " corrupt " : " ") + time);
    }
    if (run.left_out.count > 0) found.push_back("left out " + std::to_string(run.left_out.count));
    if (run.not_understood.count > 0) {
      found.push_back("not understood " + std::to_string(run.not_understood.count));
    }
    if (run.assumed.count > 0) found.push_back("assumed " + std::to_string(run.assumed.count));
  }
  return found;
}

TEST_CASE("outputs of the suites of many versions and options") {
  using Reader = std::vector<SuiteRun> (*)(const SuiteText&, const RunFacts&);
  const std::map<std::string, Reader> readers{
      {"osu", read_osu}, {"imb", read_imb}, {"nccl", read_nccl}};
  for (const auto& [suite, read] : readers) {
    const std::vector<TextForm> forms = text_forms("suites/" + suite + ".txt");
    CHECK(forms.size() >= 9);
    for (const TextForm& form : forms) {
      INFO(suite << ": " << form.name);
      CHECK(figures_of(read({"a.txt", form.text}, {.ranks = 6, .operation = {}})) == form.expected);
    }
  }
}

TEST_CASE("lines behind prefixes of launchers and logs are read") {
  const std::vector<std::string> printed{"",
                                         "# OSU MPI Latency Test v7.4",
                                         "# Datatype: MPI_CHAR.",
                                         "# Size       Avg Latency(us)",
                                         "8                       0.50",
                                         "16                      0.75"};
  const auto text = [&](const std::vector<std::string>& prefixes) {
    std::string all;
    for (std::size_t i = 0; i < printed.size(); ++i) {
      all += prefixes[i % prefixes.size()] + printed[i] + "\n";
    }
    return all;
  };
  const std::vector<std::vector<std::string>> forms{
      {"[1,0]<stdout>:"},
      {"[1,0]<stdout>: "},
      {"[prterun-login-77@1,0]<stdout>: "},
      {"0: "},
      {" 0: "},
      {"[0] "},
      {"(head, rank=0, pid=4711) [1,0]<stdout>:"},
      {"[pod/bench-launcher-x2k/mpi] "},
      {"worker-0  | "},
      {"> "},
      {"     1\t", "     2\t", "     3\t", "     4\t", "     5\t", "     6\t"},
      {"9:", "10:", "11:", "12:", "13:", "14:"},
      {"Thu Nov 26 09:59:58 2026<stdout>:", "Thu Nov 26 10:00:07 2026<stdout>:"},
      {"Tue Mar  3 09:59:58 2026[1,0]<stdout>:", "Tue Mar 13 10:00:07 2026[1,0]<stdout>:"},
      {"2026-03-01T12:00:00.123456789Z ", "2026-03-01T12:00:01.5Z "},
      {"2026-03-01T12:00:00+01:00 node7 bench[81]: ",
       "2026-03-01T12:00:03+01:00 node7 bench[81]: "},
      {"Mar  1 12:00:00 ", "Mar  1 12:00:09 "},
      {"12:00:00 ", "12:00:09 "},
      {"[   12.345678] ", "[   13.456789] "}};
  for (const std::vector<std::string>& prefixes : forms) {
    INFO(prefixes.front());
    CHECK(figures_of(read_osu({"a.txt", text(prefixes)}, {})) ==
          std::vector<std::string>{"pingpong 8 ranks=2 0.50", "pingpong 16 ranks=2 0.75"});
  }
}

TEST_CASE("outputs of several processes whose lines alternate are runs of their own") {
  std::string text;
  for (const char* line :
       {"# OSU MPI Latency Test v7.4", "# Size       Avg Latency(us)", "8 0.50", "16 0.75"}) {
    text += std::string("0: ") + line + "\n1: " + line + "\n";
  }
  text.insert(text.find("1: 8 0.50"), "1: warning: slow clock\n");
  const auto runs = read_osu({"a.txt", text}, {});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].figures.size() == 2);
  CHECK(runs[1].figures.size() == 2);
  CHECK(runs[0].left_out.count == 0);
  CHECK(runs[1].left_out.count == 1);
  CHECK(runs[1].left_out.first ==
        "a.txt line 6 'warning: slow clock': it has 3 words, the table 2 columns");
}

TEST_CASE("the option --memory says where buffers were that the title alone puts on a device") {
  const std::string text =
      "# OSU MPI-CUDA Latency Test v7.5\n# Size       Avg Latency(us)\n8 3.25\n";
  const auto runs = read_osu({"a.txt", text}, {.memory = "cuda-to-host"});
  CHECK(figures_of(runs) ==
        std::vector<std::string>{"pingpong 8 ranks=2 memory=cuda-to-host 3.25"});
}

}  // namespace
}  // namespace hockney::imports
