

// Buffers in other memory, as users ask for it: what was got is in the record, what was not got is
// said, and a device that is not there (tests/benchmarks/device/standin.cpp) stands for one.

#ifdef HOCKNEY_MPIEXEC

#include <algorithm>

#include "core/record.hpp"
#include "core/record_file.hpp"
#include "tests/driver/launched.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::driver {
namespace {

/// Two ranks of a program, which begin after a barrier: on a busy machine they may miss every
/// agreed time.
Arguments command_of(const std::string& program, const Arguments& environment,
                     const Arguments& options) {
  const Arguments usual{"--epochs", "1", "--samples", "1", "--bind", "none", "--start", "barrier"};
  return launched(2, program, with(usual, options), environment);
}

const std::string with_standin = std::string("LD_LIBRARY_PATH=") + HOCKNEY_STANDIN;

/// One launch and its record.
struct Launch {
  std::string program = "hockney-pingpong";
  Arguments environment;
  Arguments options;
};

std::vector<Record> records_of(const std::vector<Launch>& launches) {
  const TemporaryFolder folder;
  std::vector<Arguments> commands;
  std::vector<std::string> files;
  for (const Launch& launch : launches) {
    files.push_back(folder.path() + "/" + std::to_string(files.size()) + ".json");
    Arguments options = launch.options;
    options.insert(options.end(), {"-o", files.back()});
    commands.push_back(command_of(launch.program, launch.environment, options));
  }
  std::vector<Record> records;
  const auto results = run_together(commands, launches_at_a_time);
  for (std::size_t i = 0; i < results.size(); ++i) {
    INFO(results[i].err);
    CHECK(results[i].exit_code == 0);
    records.push_back(results[i].exit_code == 0 ? load_record(files[i]) : Record{});
  }
  return records;
}

/// Why a memory was not measured, of the first point that has it; empty where it was.
std::string reason_of(const Record& record, const std::string& memory) {
  const auto is_in_it = [&](const PlannedPoint& planned) {
    return planned.point.parameters.at("memory") == memory;
  };
  const auto found = std::ranges::find_if(record.points, is_in_it);
  REQUIRE(found != record.points.end());
  return found->reason;
}

const BufferMemoryUse* use_of(const Record& record, const std::string& memory) {
  const auto found = std::ranges::find(record.buffers, memory, &BufferMemoryUse::memory);
  return found == record.buffers.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("memory of the host is what was asked for, proven, or skipped with the reason") {
  const Record record =
      records_of({{.options = {"-b", "8,64K", "--memory", "host,huge,numa:0,numa:4000,cuda"}}})
          .front();
  CHECK(reason_of(record, "host").empty());
  CHECK_THAT(reason_of(record, "numa:4000"), Catch::StartsWith("there is no NUMA node 4000"));
  CHECK_FALSE(reason_of(record, "cuda").empty());
  for (const std::string memory : {"huge", "numa:0"}) {
    const BufferMemoryUse* use = use_of(record, memory);
    INFO(memory << ": " << reason_of(record, memory));
    CHECK((use == nullptr) != reason_of(record, memory).empty());
    if (use != nullptr) CHECK_FALSE(use->evidence.empty());
  }
}

TEST_CASE("memory of a device goes to MPI when it says that it takes it, or it is asserted") {
  const Arguments options{"-b", "8,64K", "--memory", "cuda,cuda-to-host,host-to-rocm"};
  Arguments asserted = options;
  asserted.push_back("--gpu-aware");
  const std::string preload = std::string("LD_PRELOAD=") + HOCKNEY_STANDIN + "/libcudart.so";
  const auto records =
      records_of({{.environment = {with_standin}, .options = options},
                  {.environment = {with_standin}, .options = asserted},
                  {.environment = {with_standin, preload, "STANDIN_AWARE=1", "STANDIN_DEVICES=2"},
                   .options = options},
                  {.environment = {with_standin, "STANDIN_DEVICES=0"}, .options = asserted}});
  CHECK_THAT(reason_of(records[0], "cuda"), Catch::Contains("--gpu-aware asserts that it does"));
  CHECK(records[0].series.empty());
  CHECK(records[1].series.size() == 6);
  REQUIRE(use_of(records[1], "cuda") != nullptr);
  CHECK(use_of(records[1], "cuda")->gpu_aware == "asserted");
  CHECK_THAT(use_of(records[1], "cuda")->evidence, Catch::EndsWith("shared by 2 ranks"));
  CHECK(std::ranges::find(records[1].flags, "device-shared") != records[1].flags.end());
  CHECK(records[2].series.size() == 6);
  REQUIRE(use_of(records[2], "cuda") != nullptr);
  CHECK(use_of(records[2], "cuda")->gpu_aware == "library");
  CHECK(std::ranges::find(records[2].flags, "device-shared") == records[2].flags.end());
  CHECK_THAT(reason_of(records[3], "cuda"), Catch::StartsWith("there is no CUDA device"));
}

TEST_CASE("collectives, windows and floors of the transfer have their buffers on a device") {
  const auto records =
      records_of({{.program = "hockney-collectives",
                   .environment = {with_standin},
                   .options = {"--operations", "allreduce,iallreduce,alltoallv,barrier", "-b",
                               "8,64K", "--in-place", "no,yes", "--memory", "cuda", "--gpu-aware"}},
                  {.environment = {with_standin},
                   .options = {"--operations",
                               "bandwidth,pingpong,floor-host-to-device,floor-device-to-host,"
                               "floor-device-to-device",
                               "-b", "8,64K", "--memory", "rocm", "--gpu-aware"}}});
  for (const Record& record : records) {
    CHECK_FALSE(record.series.empty());
    for (const PlannedPoint& planned : record.points) {
      INFO(curve_name(planned.point) << ": " << planned.reason);
      CHECK(planned.status == PointStatus::measured);
    }
  }
}

TEST_CASE("a copy that spoils data, and one that fails, end a launch with exit code 3") {
  const Arguments options{"-b", "8", "--memory", "cuda", "--gpu-aware"};
  const auto results = run_together(
      {command_of("hockney-pingpong", {with_standin, "STANDIN_CORRUPT=5"}, options),
       command_of("hockney-pingpong", {with_standin, "STANDIN_FAIL=Memcpy:6"}, options),
       command_of("hockney-pingpong", {with_standin, "STANDIN_FAIL=Malloc:2"}, options)},
      launches_at_a_time);
  for (const CommandResult& result : results) CHECK(result.exit_code == run_failed);
  CHECK_THAT(results[0].err, Catch::Contains("wrong data received by pingpong"));
  CHECK_THAT(results[1].err, Catch::Contains("cudaMemcpy failed (told to fail, 999)"));
  CHECK_THAT(results[2].err, Catch::Contains("cudaMalloc failed (told to fail, 999)"));
}

TEST_CASE("memory is an axis like any other") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/r.json";
  const CommandResult launch = run_command(
      command_of("hockney-pingpong", {}, {"-b", "8", "--memory", "host,numa:near", "-o", file}));
  REQUIRE(launch.exit_code == 0);
  const CommandResult compared = run_command({built("hockney"), "compare", file, "--by", "memory"});
  INFO(compared.out << compared.err);
  CHECK(compared.out.find("numa:near") != std::string::npos);
}

}  // namespace hockney::driver

#endif
