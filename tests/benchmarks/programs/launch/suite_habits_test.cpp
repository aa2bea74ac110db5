#include <catch2/catch.hpp>
#include <iostream>
#include <sstream>

#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/command_line.hpp"

// What people who know OMB and IMB write on a command line.
namespace hockney::benchmarks::programs {
namespace {

using Texts = std::vector<std::string>;

struct RequestedValue {
  LaunchOptions options;
  std::string said;  ///< on stderr
};

RequestedValue requested(std::vector<const char*> words) {
  RequestedValue result;
  CommandLine app("Measures", "program");
  add_launch_options(app, {.procedure = "program", .operations = "pingpong"}, result.options);
  words.insert(words.begin(), "program");
  std::ostringstream text;
  std::streambuf* const before = std::cerr.rdbuf(text.rdbuf());
  const auto finished = parse_command_line(app, static_cast<int>(words.size()), words.data());
  std::cerr.rdbuf(before);
  result.said = text.str();
  CHECK_FALSE(finished);
  return result;
}

std::vector<std::int64_t> sizes(const std::vector<const char*>& words) {
  std::vector<std::int64_t> bytes;
  for (const Bytes size : requested(words).options.sizes) bytes.push_back(size.value);
  return bytes;
}

TEST_CASE("operations of other suites become hockney's, each once") {
  const RequestedValue same =
      requested({"--operations", "osu_latency,PingPong,bw,MPI_Bcast,Reduce_scatter"});
  CHECK(same.options.operations == Texts{"pingpong", "bandwidth", "bcast", "reduce-scatter"});
  CHECK(same.said.empty());
}

TEST_CASE("what is measured otherwise than by the other suite is said") {
  const RequestedValue other = requested({"--operations", "osu_multi_lat"});
  CHECK(other.options.operations == Texts{"pingpong"});
  CHECK(other.said.starts_with("note: osu_multi_lat is measured as pingpong ("));
}

TEST_CASE("-m is OMB's, and of it and --sizes the last one counts") {
  using Sizes = std::vector<std::int64_t>;
  CHECK(sizes({"-m", "8:32"}) == Sizes{8, 16, 32});
  CHECK(sizes({"-m", "4"}) == Sizes{0, 1, 2, 4});
  CHECK(sizes({"-m", "2M:"}) == Sizes{1 << 21, 1 << 22});
  CHECK(sizes({"--sizes", "8", "--message-size", "64:128"}) == Sizes{64, 128});
  CHECK(sizes({"-m", "64:128", "-b", "8"}) == Sizes{8});
}

}  // namespace
}  // namespace hockney::benchmarks::programs
