#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/components/application/library/program_profile.hpp"
#include "tests/support/study.hpp"
#include "tests/support/temporary_folder.hpp"

// Samples of stacks, against the CPU times that programs measure themselves.
namespace hockney::profile {
namespace {

using Json = nlohmann::json;

/// CPU seconds of tests/programs/shares.cpp, over all ranks.
struct SampledTimes {
  double half = 0;
  double quarter = 0;
  double inlined = 0;
  int own_signals = 0;

  [[nodiscard]] double whole() const { return half + quarter + inlined; }
};

SampledTimes own_times(const std::string& output) {
  SampledTimes sum;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    SampledTimes one;
    int rank = 0;
    int failed = 0;
    const int read =
        std::sscanf(line.c_str(), "rank %d half %lf quarter %lf inlined %lf own %d failed %d",
                    &rank, &one.half, &one.quarter, &one.inlined, &one.own_signals, &failed);
    if (read != 6) continue;
    sum.half += one.half;
    sum.quarter += one.quarter;
    sum.inlined += one.inlined;
    sum.own_signals += one.own_signals;
  }
  return sum;
}

/// A run, and its profile as JSON.
struct Sampled {
  CommandResult run;
  SampledTimes own;
  Json report;
};

/// More than 100 samples a second use the task clock, which a busy CPU does not disturb.
Sampled run_sampled(const TemporaryFolder& folder, const std::vector<std::string>& program,
                    int ranks = 2, const std::string& rate = "--sample=200Hz") {
  const std::string file = folder.path() + "/p.json";
  Sampled sampled;
  sampled.run = run_profiled(file, ranks, program, {rate});
  sampled.own = own_times(sampled.run.out);
  const CommandResult shown =
      run_command({HOCKNEY_DRIVER, "profile", "show", file, "--json"}, std::chrono::seconds(60));
  if (shown.exit_code == 0) sampled.report = Json::parse(shown.out);
  return sampled;
}

/// Samples of computing in a function and in those that it calls, over those of the three
/// functions.
double share_of(const Json& report, const std::string& function) {
  double own = 0;
  double all = 0;
  for (const Json& one : report.at("functions")) {
    const auto name = one.at("function").get<std::string>();
    const auto within = one.at("within_seconds").get<double>();
    if (name == function) own += within;
    if (name == "half" || name == "quarter" || name == "inlined_rest") all += within;
  }
  return all > 0 ? own / all : 0;
}

/// Whether the driver was built with elfutils.
bool names_functions(const Json& report) {
  const Json& functions = report.at("functions");
  return std::any_of(functions.begin(), functions.end(), [](const Json& one) {
    return !one.at("function").get<std::string>().starts_with("[");
  });
}

bool has_note(const Json& report, const std::string& part) {
  for (const Json& note : report.at("notes")) {
    if (note.get<std::string>().find(part) != std::string::npos) return true;
  }
  return false;
}

/// Whether this user may have the clock that does not wait for the kernel's ticks. On a busy CPU
/// the other one counts several periods at the place of one sample.
bool has_task_clock() {
  perf_event_attr event{};
  event.size = sizeof event;
  event.type = PERF_TYPE_SOFTWARE;
  event.config = PERF_COUNT_SW_TASK_CLOCK;
  event.disabled = 1;
  const auto file = static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
  if (file >= 0) ::close(file);
  return file >= 0;
}

/// Whether the samples are as many as periods of CPU time.
void check_count(const Sampled& sampled, double cpu_seconds) {
  const auto samples = sampled.report.at("sampling").at("computing_samples").get<double>();
  const double expected =
      cpu_seconds / sampled.report.at("sampling").at("period_seconds").get<double>();
  CAPTURE(samples, expected);
  CHECK(samples < 1.1 * expected + 10);
  CHECK(samples > (has_task_clock() ? 0.9 * expected - 10 : 0.2 * expected));
}

/// Whether a share is the true one within four standard deviations of the count of samples.
void check_share(const Sampled& sampled, const std::string& function, double seconds) {
  const double truth = seconds / sampled.own.whole();
  const auto samples = sampled.report.at("sampling").at("computing_samples").get<double>();
  const double deviation = std::sqrt(truth * (1 - truth) / samples);
  CAPTURE(function, truth, deviation);
  const double clock = has_task_clock() ? 0.01 : 0.1;
  CHECK(std::abs(share_of(sampled.report, function) - truth) < 4 * deviation + clock);
}

}  // namespace

TEST_CASE("shares of functions are those that the program's CPU clock says, inlined ones too",
          "[study]") {
  for (const std::string& what : first_of<std::string>(1, {"threads", "serial", "openmp"})) {
    CAPTURE(what);
    const TemporaryFolder folder;
    const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "1.5", what});
    INFO(sampled.run.out << sampled.run.err);
    REQUIRE(sampled.run.exit_code == 0);
    if (!names_functions(sampled.report)) {
      WARN("built without elfutils: functions have no names");
      return;
    }
    check_share(sampled, "half", sampled.own.half);
    check_share(sampled, "quarter", sampled.own.quarter);
    check_share(sampled, "inlined_rest", sampled.own.inlined);
    check_count(sampled, sampled.own.whole());  // two ranks, one or two threads
    CHECK(sampled.report.at("sampling").at("fraction").get<double>() > 0);
    CHECK_THAT(sampled.run.err, Catch::Contains("burn (shares.cpp:"));
  }
}

TEST_CASE("a hundred samples a second come at ticks of the kernel, each with its periods") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "1.5", "serial"}, 2, "--sample");
  INFO(sampled.run.out << sampled.run.err);
  REQUIRE(sampled.run.exit_code == 0);
  CHECK(sampled.report.at("sampling").at("period_seconds") == 0.01);
  const auto samples = sampled.report.at("sampling").at("computing_samples").get<double>();
  const double expected = sampled.own.whole() / 0.01;
  CHECK(samples > 0.2 * expected);
  CHECK(samples < 1.1 * expected + 10);
  if (names_functions(sampled.report)) {
    CHECK(std::abs(share_of(sampled.report, "half") - 0.5) < 0.2);
  }
}

TEST_CASE("Fortran's procedures have the names of their source") {
#if defined(HOCKNEY_FORTRAN_SHARES)
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_FORTRAN_SHARES, "1.5"});
  INFO(sampled.run.out << sampled.run.err);
  REQUIRE(sampled.run.exit_code == 0);
  double long_seconds = 0;
  double short_seconds = 0;
  for (const Json& one : sampled.report.at("functions")) {
    const auto name = one.at("function").get<std::string>();
    const auto within = one.at("within_seconds").get<double>();
    if (name == "work::two_thirds") long_seconds += within;
    if (name == "one_third") short_seconds += within;
  }
  const double all = long_seconds + short_seconds;
  if (!names_functions(sampled.report)) {
    WARN("built without elfutils: functions have no names");
    return;
  }
  const double samples = all / 0.005;
  const double deviation = std::sqrt(2.0 / 9 / samples);
  const double clock = has_task_clock() ? 0.01 : 0.1;
  CHECK(std::abs(long_seconds / all - 2.0 / 3) < 4 * deviation + clock);
#else
  WARN("there is no Fortran compiler for MPI");
#endif
}

TEST_CASE("the function in which the ring's slow rank computes is named in the first sentence") {
  const auto imbalance = [](const Sampled& sampled) -> Json {
    for (const Json& finding : sampled.report.at("findings")) {
      if (finding.at("kind") == "imbalance") return finding;
    }
    return nullptr;
  };
  const std::string sentence = "in heavy (ring.c:";
  const auto says = [&](const Sampled& sampled) {
    return sampled.report.at("summary").dump().find(sentence) != std::string::npos;
  };
  const auto run = [] {
    const TemporaryFolder folder;
    Sampled made = run_sampled(folder, {HOCKNEY_RING, "100"});
    REQUIRE(made.run.exit_code == 0);
    return made;
  };
  const auto sampled = first_run_with(
      run, [&](const Sampled& one) { return !names_functions(one.report) || says(one); });
  if (!sampled) return;
  INFO(sampled->run.out << sampled->run.err);
  if (!names_functions(sampled->report)) {
    WARN("built without elfutils: functions have no names");
    return;
  }
  const Json found = imbalance(*sampled);
  REQUIRE(found.is_object());
  CHECK(found.at("rank") == 1);
  CHECK(found.at("function") == "heavy");
  CHECK(says(*sampled));
}

TEST_CASE("MPI time is under the function that called it") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_RING, "100"});
  REQUIRE(sampled.run.exit_code == 0);
  const Profile profile = load_profile(folder.path() + "/p.json");
  std::int64_t in_mpi = 0;
  for (const Stack& stack : profile.samples.value().stacks) {
    if (stack.call.empty()) continue;
    for (const std::int64_t count : stack.counts) in_mpi += count;
    REQUIRE_FALSE(stack.frames.empty());
    const Frame& caller =
        profile.samples->frames.at(static_cast<std::size_t>(stack.frames.front()));
    const std::string& module =
        profile.samples->modules.at(static_cast<std::size_t>(caller.module.value())).path;
    CHECK(module == HOCKNEY_RING);
  }
  CHECK(in_mpi > 0);
}

TEST_CASE("a program that takes the signal gets it, and is sampled until then") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "0.5", "takes-signal"});
  INFO(sampled.run.out << sampled.run.err);
  REQUIRE(sampled.run.exit_code == 0);
  CHECK(sampled.own.own_signals == 0);
  CHECK(has_note(sampled.report, "sampling ended early"));
  check_count(sampled, sampled.own.whole());  // the program computes as long again after that
}

TEST_CASE("a program that uses SIGPROF and the interval timer keeps them") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "0.6", "own-timer"});
  INFO(sampled.run.out << sampled.run.err);
  REQUIRE(sampled.run.exit_code == 0);
  CHECK(sampled.own.own_signals > 0);  // its handler ran
  check_count(sampled, sampled.own.whole());
}

TEST_CASE("no samples are taken while MPI_Pcontrol has recording off, and again after it") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "0.4", "paused"});
  INFO(sampled.run.out << sampled.run.err);
  REQUIRE(sampled.run.exit_code == 0);
  check_count(sampled, sampled.own.whole());  // without the pause, which is half as long
}

TEST_CASE("children of a sampled program run as before") {
  const TemporaryFolder folder;
  const Sampled sampled = run_sampled(folder, {HOCKNEY_SHARES, "0.2", "children"});
  INFO(sampled.run.out << sampled.run.err);
  CHECK(sampled.run.exit_code == 0);
  check_count(sampled, sampled.own.whole());
}

TEST_CASE("a rank that crashes leaves its samples") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  const CommandResult run = run_profiled(file, 2, {HOCKNEY_SHARES, "0.5", "crash"}, {"--sample"});
  INFO(run.out << run.err);
  CHECK(run.exit_code != 0);
  const Profile profile = load_profile(file);
  std::int64_t samples = 0;
  for (const Stack& stack : profile.samples.value().stacks) {
    for (const std::int64_t count : stack.counts) samples += count;
  }
  CHECK(samples > 10);
}

TEST_CASE("a profile without --sample has no samples, and a bad rate is refused") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/p.json";
  REQUIRE(run_profiled(file, 2, {HOCKNEY_RING, "3"}).exit_code == 0);
  CHECK_FALSE(load_profile(file).samples);
  for (const char* what : {"folded", "function"}) {
    const CommandResult refused =
        std::string(what) == "folded"
            ? run_command({HOCKNEY_DRIVER, "export", "folded", file}, std::chrono::seconds(60))
            : run_command({HOCKNEY_DRIVER, "profile", "show", file, "--csv", "--by", "function"},
                          std::chrono::seconds(60));
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, Catch::Contains("has no samples"));
  }
  const CommandResult refused = run_command(
      {HOCKNEY_DRIVER, "profile", "--sample", "fast", "--", "true"}, std::chrono::seconds(60));
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.err, Catch::Contains("bad --sample 'fast'"));
}

}  // namespace hockney::profile
