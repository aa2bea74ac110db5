#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "components/application/analysis/program_report.hpp"
#include "components/application/analysis/replay_split.hpp"
#include "components/application/analysis/waits.hpp"
#include "core/atomic_file.hpp"
#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/temporary_folder.hpp"

// 384 simulated ranks, 24 on a host: the exchange of a solver on 3600 x 3600 points, whose messages
// can be counted by hand.
#ifdef HOCKNEY_SMPIRUN
namespace hockney::profile {
namespace {

constexpr int ranks = 384;
constexpr int per_host = 24;

/// Of links with a bandwidth and a latency, as SimGrid writes them; `inside` is more of the
/// cluster.
std::string platform(const std::string& bandwidth, const std::string& latency,
                     const std::string& inside = "") {
  return R"(<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="h" suffix="" radical="0-15" speed="1Gf" bw=")" +
         bandwidth + R"("
 lat=")" +
         latency + R"(" core="24" )" + inside + R"(/></platform>)";
}

/// A host for each rank: the hosts are filled one after the other in the order of the places.
std::string hosts_of(const std::vector<int>& places) {
  std::string hosts;
  for (const int place : places) hosts += "h" + std::to_string(place / per_host) + "\n";
  return hosts;
}

std::vector<int> in_order(int number) {
  std::vector<int> places(static_cast<std::size_t>(number));
  std::iota(places.begin(), places.end(), 0);
  return places;
}

/// The profile of a program on the simulated hosts; `hosts`: of the ranks, or none: in order.
Profile simulate(const std::string& program, int number, const std::vector<std::string>& arguments,
                 const TemporaryFolder& folder,
                 const std::string& network = platform("10GBps", "1us"), std::string hosts = "") {
  if (hosts.empty()) hosts = hosts_of(in_order(number));
  const std::string file = folder.path() + "/profile.json";
  std::vector<std::string> words{"env",
                                 "HOCKNEY_PROFILE_OUT=" + file,
                                 "HOCKNEY_PROFILE_LOG=1",
                                 HOCKNEY_SMPIRUN,
                                 "-np",
                                 std::to_string(number),
                                 "-platform",
                                 folder.write("platform.xml", network),
                                 "-hostfile",
                                 folder.write("hosts", hosts),
                                 "--log=root.thresh:critical",
                                 "--cfg=smpi/simulate-computation:no",
                                 "--cfg=smpi/wtime:0",
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
TEST_CASE("strips of 384 ranks", "[nightly]") {
  CHECK(halo({"384", "1", "3600", "1", "3"}) == Exchanged{{138}, {3}, 15, 432000});
}
TEST_CASE("rows of 16 by 24 ranks in order", "[nightly]") {
  CHECK(halo({"16", "24", "3600", "1", "3"}) == Exchanged{{138}, {72}, 360, 432000});
}
TEST_CASE("rows of 48 by 8 ranks in order", "[nightly]") {
  CHECK(halo({"48", "8", "3600", "1", "3"}) == Exchanged{{222}, {24}, 120, 432000});
}
TEST_CASE("tiles of 6 by 4 ranks", "[nightly]") {
  CHECK(halo({"24", "16", "3600", "1", "3", "6", "4"}) == Exchanged{{228}, {12, 18}, 120, 172800});
}

namespace {

/// Ranks of a host exchange as through memory, hosts as by 10 Gb/s.
std::string slow_network() {
  return platform("1.25GBps", "1us", R"(loopback_bw="10GBps" loopback_lat="300ns")");
}

/// What `hockney map` says of the last profile, which has three exchanges in one iteration.
nlohmann::json mapped(const TemporaryFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{HOCKNEY_DRIVER, "map", folder.path() + "/profile.json", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  const CommandResult run = run_command(words, std::chrono::seconds(100));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return nlohmann::json::parse(run.out);
}

const std::vector<std::string> in_rows{"24", "16", "3600", "1", "3"};

void check_tiles(const nlohmann::json& found) {
  constexpr std::int64_t least_bytes = 172800;  // of an exchange
  CHECK(found.at("cut_edges") == 120);
  CHECK(found.at("cut_bytes") == 3 * least_bytes);
  CHECK(found.at("bound_bytes") == 3 * least_bytes);
}

}  // namespace

TEST_CASE("tiles of 6 by 4 ranks take less time than ranks in order, by rows and by strips",
          "[nightly]") {
  const auto seconds = [](const std::vector<std::string>& arguments) {
    const TemporaryFolder folder;
    return simulate("halo", ranks, arguments, folder, slow_network()).seconds;
  };
  const double tiles = seconds({"24", "16", "3600", "1", "3", "6", "4"});
  const double rows = seconds(in_rows);
  const double strips = seconds({"384", "1", "3600", "1", "3"});
  INFO("tiles " << tiles << " s, rows " << rows << " s, strips " << strips << " s");
  CHECK(tiles < rows);
  CHECK(tiles < strips);
}

TEST_CASE("hockney map finds the tiles in the run by rows, which are faster, and leaves them be") {
  const TemporaryFolder folder;
  const double rows = simulate("halo", ranks, in_rows, folder, slow_network()).seconds;
  const std::string hosts = folder.path() + "/mapped";
  const nlohmann::json found = mapped(folder, {"--format", "hosts", "-o", hosts});
  CHECK(found.at("change") == true);
  CHECK(found.at("now").at("cut_edges") == 248);
  check_tiles(found);
  for (const char* const name : {"/profile.json", "/profile.events"}) {
    std::filesystem::remove(folder.path() + name);  // a profile replaces no other
  }
  const double tiles =
      simulate("halo", ranks, in_rows, folder, slow_network(), read_file(hosts)).seconds;
  INFO("by rows " << rows << " s, as mapped " << tiles << " s");
  CHECK(tiles < rows);
  const nlohmann::json again = mapped(folder);
  CHECK(again.at("change") == false);
  check_tiles(again);
}

TEST_CASE("hockney map recovers the tiles from ranks that were on hosts in no order at all",
          "[nightly]") {
  std::vector<int> places = in_order(ranks);
  std::shuffle(places.begin(), places.end(), std::mt19937(5));
  const TemporaryFolder folder;
  simulate("halo", ranks, in_rows, folder, slow_network(), hosts_of(places));
  const nlohmann::json found = mapped(folder);
  CHECK(found.at("now").at("cut_edges").get<int>() > 600);
  check_tiles(found);
}

TEST_CASE("every trap of counting is counted under the simulator, too") {
  for (const int number : {2, 3}) {
    const TemporaryFolder folder;
    const Profile profile = simulate("traps", number, {folder.path()}, folder);
    const auto [calls, messages] = ledgers(folder.path(), number);
    CHECK(calls_of(profile) == calls);
    CHECK(messages_of(profile) == messages);
    const applications::TraceAnalysis run(
        applications::load_trace(folder.path() + "/profile.events"));
    CHECK(run.trace().is_whole());
    CHECK(run.matching().sends_alone == 0);
    CHECK(run.matching().receives_alone == 0);
  }
}

namespace {

/// On one clock waits by Scalasca's definitions are those of the replay.
void check_clock_waits(const applications::TraceAnalysis& run,
                       const applications::ReplaySplit& split) {
  const applications::WaitStates waits = wait_states(run.trace(), run.matching(), run.clocks());
  CHECK(waits.clocks_not_known == 0);
  CHECK(waits.all().bound_seconds == 0);
  CHECK(waits.all().seconds == Approx(split.waiting_seconds()).margin(1e-6));
}

/// A program whose waiting is known, on a network that costs nothing.
applications::ReplaySplit split_of(int number, const std::vector<std::string>& arguments,
                                   std::optional<std::int64_t> eager_limit = {}) {
  const TemporaryFolder folder;
  simulate("waits", number, arguments, folder, platform("1000000000GBps", "0us"));
  std::vector<applications::EagerLimits> limits;
  if (eager_limit) {
    limits.push_back(
        {.reach = applications::Reach::in_node, .limits_bytes = {*eager_limit}, .hops = {}});
  }
  const applications::TraceAnalysis run(
      applications::load_trace(folder.path() + "/profile.events"));
  const applications::ReplaySplit split = applications::split_by_replay(run, limits);
  check_clock_waits(run, split);
  return split;
}

constexpr double microsecond = 1e-6;

}  // namespace

TEST_CASE("a simulated chain has serialisation 1/p, and the replay takes as long as the run") {
  const applications::ReplaySplit split = split_of(5, {"chain"});
  CHECK(split.seconds == Approx(500 * microsecond).epsilon(1e-3));
  CHECK(*split.serialisation() == Approx(0.2).epsilon(1e-3));
  CHECK(*split.transfer() == Approx(1).epsilon(1e-3));
  CHECK(split.load == Approx(0).margin(0.1 * microsecond));
}

TEST_CASE("simulated work, broadcast, work has serialisation 1/2") {
  const applications::ReplaySplit split = split_of(6, {"broadcast"});
  CHECK(*split.serialisation() == Approx(0.5).epsilon(1e-3));
  CHECK(*split.transfer() == Approx(1).epsilon(1e-3));
}

TEST_CASE("simulated work 1 + 2r has load balance p / (2p - 1)") {
  const applications::ReplaySplit split = split_of(6, {"load"});
  CHECK(split.times.computing / split.most_computing == Approx(6.0 / 11).epsilon(1e-3));
  CHECK(*split.serialisation() == Approx(1).epsilon(1e-3));
  CHECK(*split.transfer() == Approx(1).epsilon(1e-3));
}

namespace {

/// Causes of a simulated run, worst first, on a network that costs nothing.
std::vector<applications::Finding> causes_of(int number,
                                             const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  const Profile profile =
      simulate("waits", number, arguments, folder, platform("1000000000GBps", "0us"));
  const applications::TraceAnalysis run(
      applications::load_trace(folder.path() + "/profile.events"));
  const applications::ProgramReport report = applications::analyse(profile, {.log = &run});
  CHECK_FALSE(report.cpu);  // simulated time has no CPU time
  return report.findings;
}

}  // namespace

TEST_CASE("the cause of waiting is named first on 16 to 64 simulated ranks") {
  using applications::FindingKind;
  for (const int number : {16, 64}) {
    CAPTURE(number);
    const auto chain = causes_of(number, {"chain"});
    REQUIRE_FALSE(chain.empty());
    CHECK(chain.front().kind == FindingKind::serialisation);
    CHECK(chain.front().concurrency == Approx(1).epsilon(1e-2));
    CHECK(chain.front().fraction == Approx(1 - 1.0 / number).epsilon(1e-2));
    const auto load = causes_of(number, {"load"});
    REQUIRE_FALSE(load.empty());
    CHECK(load.front().kind == FindingKind::imbalance);
    CHECK(load.front().rank == number - 1);
    CHECK(load.front().fraction == Approx((number - 1.0) / (2 * number - 1)).epsilon(1e-2));
    const auto broadcast = causes_of(number, {"broadcast"});
    REQUIRE_FALSE(broadcast.empty());
    CHECK(broadcast.front().kind == FindingKind::late_sender);
    CHECK(broadcast.front().call == "MPI_Bcast");
    CHECK(broadcast.front().fraction == Approx(0.5).epsilon(1e-2));
  }
}

TEST_CASE("a simulated late receiver holds up senders beyond the simulator's eager limit alone") {
  constexpr std::int64_t limit = 65535;  // smpi/send-is-detached-thresh is 65536, which waits
  const applications::ReplaySplit below = split_of(6, {"late", "60000"}, limit);
  const applications::ReplaySplit above = split_of(6, {"late", "70000"}, limit);
  CHECK(below.seconds == Approx(100 * microsecond).epsilon(1e-3));
  CHECK(*below.times.protocol == Approx(0).margin(0.1 * microsecond));
  CHECK(above.seconds == Approx(150 * microsecond).epsilon(1e-3));
  CHECK(*above.times.protocol == Approx(50 * microsecond).margin(0.2 * microsecond));
  CHECK(above.times.transfer == Approx(0).margin(0.2 * microsecond));
}

}  // namespace hockney::profile
#endif
