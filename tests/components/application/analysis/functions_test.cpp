#include "components/application/analysis/functions.hpp"

#include <catch2/catch.hpp>

namespace hockney::applications {
namespace {

/// Names of a program: main calls solve and heavy (with a line), both in ./app; solve calls sqrt.
enum Code { main_code, solve_code, heavy_code, sqrt_code, library_code };

CodeName name(const std::string& function, const std::string& file = "", int line = 0) {
  return {{function, file.empty() ? "libm.so" : "app", file, line}, file, line + 1};
}

FrameNames names() {
  return {{name("main", "app.c", 30)},
          {name("solve", "app.c", 10)},
          {name("heavy", "app.c", 3), name("outer", "app.c", 20)},
          {name("sqrt")},
          {}};
}

/// Samples of ranks 0, 1 and so on.
profile::Stack stack(std::vector<int> frames, std::vector<std::int64_t> counts,
                     const std::string& call = "") {
  profile::Stack made{.frames = std::move(frames), .call = call};
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] == 0) continue;
    made.ranks.push_back(static_cast<int>(rank));
    made.counts.push_back(counts[rank]);
  }
  return made;
}

SampledFunctions sampled(std::vector<profile::Stack> stacks, int ranks) {
  profile::Profile profile;
  for (int rank = 0; rank < ranks; ++rank) profile.ranks.push_back({.rank = rank});
  profile.samples = profile::Samples{.period_seconds = 0.01, .stacks = std::move(stacks)};
  return sampled_functions(profile, names()).value();
}

std::string name_of(const SampledFunctions& all, int function) {
  return all.functions.at(static_cast<std::size_t>(function)).name;
}

}  // namespace

TEST_CASE("computing belongs to the innermost function, inlined or not; MPI to its caller") {
  const SampledFunctions all =
      sampled({stack({sqrt_code, solve_code, main_code}, {10, 10}),
               stack({solve_code, main_code}, {20, 20}), stack({heavy_code, main_code}, {10, 30}),
               stack({solve_code, main_code}, {50, 7}, "MPI_Recv")},
              2);
  CHECK(all.computing == 100);
  CHECK(all.in_mpi == 57);
  const std::vector<FunctionTime> times = function_times(all);
  REQUIRE(times.size() == 3 + 2);
  const FunctionTime& solve = times.at(0);
  CHECK(name_of(all, solve.function) == "solve");
  CHECK(solve.count == 40);
  CHECK(solve.within == 60);
  CHECK(solve.in_mpi == 57);
  CHECK(solve.share == Approx(0.4));
  const FunctionTime& heavy = times.at(1);
  CHECK(name_of(all, heavy.function) == "heavy");
  CHECK(heavy.seconds == Approx(0.4));
  CHECK(heavy.slowest_rank == 1);
  CHECK(heavy.slowest_seconds == Approx(0.3));
  CHECK(heavy.median_seconds == Approx(0.2));
  CHECK(heavy.ratio.value() == Approx(1.5));
  CHECK(times.at(4).count == 0);  // main and outer only call
}

TEST_CASE("a function that calls itself counts once within itself") {
  const SampledFunctions all = sampled({stack({solve_code, solve_code, main_code}, {8})}, 1);
  const std::vector<FunctionTime> times = function_times(all);
  CHECK(times.front().count == 8);
  CHECK(times.front().within == 8);
}

TEST_CASE("frames without names are left out, and a stack without any frame has a name") {
  const SampledFunctions all =
      sampled({stack({library_code, heavy_code, main_code}, {5}), stack({}, {2})}, 1);
  CHECK(name_of(all, function_times(all).front().function) == "heavy");
  CHECK(name_of(all, function_times(all).at(1).function) == "[stack not known]");
}

TEST_CASE("what leads to the program's first function is left out") {
  profile::Profile profile;
  profile.ranks.push_back({.rank = 0});
  profile.samples = profile::Samples{.stacks = {stack({0, 1, 2}, {5}), stack({0, 1}, {2})}};
  const auto function = [](const std::string& called, const std::string& module) {
    return std::vector<CodeName>{{{called, module, "", 0}, "", 0}};
  };
  const FrameNames started{function("main", "/bin/app"),
                           function("__libc_start_main", "/lib/libc.so.6"),
                           function("[app]", "/bin/app")};
  const SampledFunctions all = sampled_functions(profile, started).value();
  REQUIRE(all.stacks.size() == 1);
  CHECK(all.stacks[0].count() == 7);
  REQUIRE(all.stacks[0].functions.size() == 1);
  CHECK(name_of(all, all.stacks[0].functions[0]) == "main");
}

TEST_CASE("lines of the innermost function are counted") {
  const SampledFunctions all = sampled(
      {stack({heavy_code, main_code}, {5}), stack({heavy_code, main_code}, {9}, "MPI_Recv")}, 1);
  REQUIRE(all.lines.size() == 1);
  CHECK(all.lines[0].file == "app.c");
  CHECK(all.lines[0].line == 4);
  CHECK(all.lines[0].count == 5);
}

TEST_CASE("the interval of a share is that of Clopper and Pearson") {
  // 25 of 100: 0.1688 to 0.3466 (tables of Clopper and Pearson).
  const Interval found = share_interval(25, 100).value();
  CHECK(found.low == Approx(0.1688).margin(1e-4));
  CHECK(found.high == Approx(0.3466).margin(1e-4));
  CHECK(share_interval(0, 10).value().low == 0);
  CHECK(share_interval(10, 10).value().high == 1);
  CHECK_FALSE(share_interval(0, 0));
}

TEST_CASE("a rank differs in the innermost function that has most of the difference") {
  const SampledFunctions all = sampled({stack({sqrt_code, heavy_code, main_code}, {40, 120, 40}),
                                        stack({heavy_code, main_code}, {40, 110, 40}),
                                        stack({solve_code, main_code}, {100, 100, 100})},
                                       3);
  CHECK(name_of(all, slower_function(all, 1).value()) == "heavy");
  CHECK_FALSE(slower_function(all, 0));
}

TEST_CASE("a function of the C library is named by its caller in the program") {
  const SampledFunctions all = sampled({stack({sqrt_code, heavy_code, main_code}, {40, 400})}, 2);
  CHECK(name_of(all, slower_function(all, 1).value()) == "heavy");
}

TEST_CASE("a difference that may be chance names no function") {
  const SampledFunctions all = sampled({stack({heavy_code, main_code}, {30, 36})}, 2);
  CHECK_FALSE(slower_function(all, 1));
}

TEST_CASE("the tree of calls has the counts of all below, MPI calls at its leaves") {
  const SampledFunctions all =
      sampled({stack({solve_code, main_code}, {3}), stack({heavy_code, main_code}, {5}),
               stack({solve_code, main_code}, {4}, "MPI_Recv")},
              1);
  const std::vector<CallNode> nodes = call_tree(all);
  REQUIRE(nodes.size() == 5);
  CHECK(name_of(all, nodes[0].function) == "main");
  CHECK(nodes[0].count == 12);
  CHECK(nodes[0].parent == -1);
  CHECK(name_of(all, nodes[1].function) == "solve");
  CHECK(nodes[1].count == 7);
  CHECK(nodes[2].call == "MPI_Recv");
  CHECK(nodes[2].count == 4);
  CHECK(nodes[2].parent == 1);
  CHECK(nodes[2].depth == 2);
  CHECK(name_of(all, nodes[3].function) == "outer");
  CHECK(name_of(all, nodes[4].function) == "heavy");
}

TEST_CASE("short names have no parameters, template arguments or return type") {
  CHECK(short_name("solve") == "solve");
  CHECK(short_name("grid::solve(int, std::vector<double>)") == "grid::solve");
  CHECK(short_name("void grid::Mesh<double>::step<4>(int)") == "grid::Mesh::step");
  CHECK(short_name("(anonymous namespace)::half(double)") == "half");
  CHECK(short_name("[libm.so.6]") == "[libm.so.6]");
  CHECK(short_name("std::operator<(a, b)") == "std::operator<(a, b)");
}

}  // namespace hockney::applications
