// 384 simulated ranks, 24 on a host: the exchange of a solver on 3600 x 3600 points, whose messages
// can be counted by hand.

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <set>

#include "tests/profile/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

#ifdef HOCKNEY_SMPIRUN
namespace hockney::profile {
namespace {

constexpr int ranks = 384;
constexpr int per_host = 24;

constexpr const char* platform =
    R"(<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-15" speed="1Gf" bw="10GBps"
 lat="1us" core="24"/></platform>)";

/// The profile of a program on the simulated hosts.
Profile simulate(const std::string& program, int number, const std::vector<std::string>& arguments,
                 const TemporaryFolder& folder) {
  std::string hosts;
  for (int rank = 0; rank < number; ++rank) hosts += "h" + std::to_string(rank / per_host) + "\n";
  const std::string file = folder.path() + "/profile.json";
  std::vector<std::string> words{"env",
                                 "HOCKNEY_PROFILE_OUT=" + file,
                                 HOCKNEY_SMPIRUN,
                                 "-np",
                                 std::to_string(number),
                                 "-platform",
                                 folder.write("platform.xml", platform),
                                 "-hostfile",
                                 folder.write("hosts", hosts),
                                 "--log=root.thresh:critical",
                                 std::string(HOCKNEY_SIMULATED_FOLDER) + "/profile_" + program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const CommandResult run = run_command(words, std::chrono::seconds(100));
  INFO(run.out << run.err);
  REQUIRE(run.exit_code == 0);
  return load_profile(file);
}

/// What one iteration of three exchanges sends.
struct Exchanged {
  std::set<std::int64_t> inside;   ///< messages inside each host
  std::set<std::int64_t> between;  ///< messages between two hosts, in one direction
  std::size_t cut = 0;             ///< pairs of ranks on two hosts that send to each other
  std::int64_t cut_bytes = 0;      ///< of one exchange, one way

  friend bool operator==(const Exchanged&, const Exchanged&) = default;
};

Exchanged exchanged(const Profile& profile) {
  std::map<int, std::int64_t> inside;
  std::map<std::pair<int, int>, std::int64_t> between;
  std::set<std::pair<int, int>> cut;
  std::int64_t bytes = 0;
  for (const Messages& row : profile.messages) {
    const int from = row.from / per_host;
    const int to = row.to.value() / per_host;
    if (from == to) {
      inside[from] += row.messages;
      continue;
    }
    between[{from, to}] += row.messages;
    cut.insert(std::minmax(row.from, *row.to));
    bytes += row.bytes;
  }
  Exchanged sum{.cut = cut.size(), .cut_bytes = bytes / 3 / 2};
  for (const auto& [host, messages] : inside) sum.inside.insert(messages);
  for (const auto& [hosts, messages] : between) sum.between.insert(messages);
  return sum;
}

Exchanged halo(const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  return exchanged(simulate("halo", ranks, arguments, folder));
}

}  // namespace

TEST_CASE("rows of 24 by 16 ranks in order") {
  CHECK(halo({"24", "16", "3600", "1", "3"}) == Exchanged{{180}, {48, 51}, 248, 441600});
}
TEST_CASE("strips of 384 ranks") {
  CHECK(halo({"384", "1", "3600", "1", "3"}) == Exchanged{{138}, {3}, 15, 432000});
}
TEST_CASE("rows of 16 by 24 ranks in order") {
  CHECK(halo({"16", "24", "3600", "1", "3"}) == Exchanged{{138}, {72}, 360, 432000});
}
TEST_CASE("rows of 48 by 8 ranks in order") {
  CHECK(halo({"48", "8", "3600", "1", "3"}) == Exchanged{{222}, {24}, 120, 432000});
}
TEST_CASE("tiles of 6 by 4 ranks") {
  CHECK(halo({"24", "16", "3600", "1", "3", "6", "4"}) == Exchanged{{228}, {12, 18}, 120, 172800});
}

TEST_CASE("every trap of counting is counted under the simulator, too") {
  for (const int number : {2, 3}) {
    const TemporaryFolder folder;
    const Profile profile = simulate("traps", number, {folder.path()}, folder);
    const auto [calls, messages] = ledgers(folder.path(), number);
    CHECK(calls_of(profile) == calls);
    CHECK(messages_of(profile) == messages);
  }
}

}  // namespace hockney::profile
#endif
