#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "benchmarks/harness/environment.hpp"
#include "benchmarks/programs/algorithms/verification.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

// hockney-algorithms: evidence of the algorithms that collective operations use.
namespace hockney::benchmarks::programs {
namespace {

const Program program{
    .procedure = "algorithms",
    .description =
        "Call collective operations once each and report which algorithm ran, with the evidence",
    .operations = "bcast,reduce,allreduce,barrier",
    .sizes = "8,1K,64K,1M"};

/// The output of lines, stdout without a file name. Each is written at once, as the next call may
/// end the launch.
class Lines {
 public:
  explicit Lines(const std::string& file) {
    if (!file.empty()) file_ = std::make_unique<GrowingFile>(file, GrowingFile::Begin::empty);
  }
  void add(const std::string& line) {
    file_ ? file_->append(line) : void(std::cout << line << std::flush);
  }

 private:
  std::unique_ptr<GrowingFile> file_;
};

std::string value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

void describe_check(VerificationRun& verification, bool checks) {
  if (checks) {
    verification.check = "MPIR_CVAR_COLLECTIVE_FALLBACK=error";
    if (value_of("MPIR_CVAR_DEVICE_COLLECTIVES") != "none") {
      verification.no_check =
          "MPIR_CVAR_DEVICE_COLLECTIVES is not none, so that the device's own "
          "collectives may have run instead";
    }
  } else if (verification.library.starts_with("Intel") &&
             value_of("I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK") == "1") {
    verification.check = "I_MPI_ADJUST_FAILURE_ON_COLL_FALLBACK=1";
  }
}

/// A counter that works, or nullptr. Collective.
std::unique_ptr<MessageCounter> working_counter(const VerificationWorkload& plan) {
  const int ranks = size_of(MPI_COMM_WORLD);
  for (const auto make : {make_performance_counter, make_recording_counter}) {
    std::unique_ptr<MessageCounter> counter = make(ranks);
    if (counter && VerificationCalls(plan, counter.get()).counts_what_is_sent()) return counter;
  }
  return nullptr;
}

/// Why messages are not counted.
void describe_lack(VerificationRun& verification) {
  if (!verification.library.starts_with("Open MPI")) {
    verification.no_counts = "the library does not show its messages";
    return;
  }
  verification.no_counts = "OMPI_MCA_pml_monitoring_enable=1 counts nothing here";
  const std::vector<ControlVariable> variables = control_variables();
  const auto pml = std::ranges::find(variables, "pml", &ControlVariable::name);
  if (pml == variables.end() || !pml_with_monitoring(pml->value.value_or(""))) return;
  verification.pml = pml->value.value_or("");
  verification.no_counts = fmt::format("pml {} leaves out monitoring", verification.pml);
}

VerificationRun describe(const VerificationWorkload& plan, const MessageCounter* counter,
                         bool checks) {
  VerificationRun verification{.library = mpi_library(),
                               .requested = requested_algorithms(),
                               .points = planned_points(plan)};
  if (counter != nullptr) {
    verification.counting = counter->name();
  } else {
    describe_lack(verification);
  }
  describe_check(verification, checks);
  return verification;
}

/// Ends the job if a rank is still in its call, because it can do nothing else.
void verify_point(VerificationCalls& calls, std::size_t index, Lines* lines) {
  calls.agree_to_begin();
  if (lines != nullptr) lines->add(verification_begun(index));
  const CallOutcome outcome = calls.call(index);
  if (lines == nullptr) return;
  lines->add(verification_done(index, outcome.error, outcome.traffic));
  if (outcome.all_back) return;
  std::cerr << "a rank did not come back: " << escaped(outcome.error) << std::endl;
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::run_failed));
}

ExitCode run(const LaunchOptions& options, std::size_t skip) {
  const VerificationWorkload plan = plan_verification(options, size_of(MPI_COMM_WORLD));
  const bool prints_errors = rank_in(MPI_COMM_WORLD) == 0;
  const auto counter = working_counter(plan);
  const auto check = check_fallbacks();
  std::unique_ptr<Lines> lines;
  if (prints_errors) {
    lines = std::make_unique<Lines>(options.output);
    lines->add(verification_header(describe(plan, counter.get(), check != nullptr)));
  }
  VerificationCalls calls(plan, counter.get());
  for (std::size_t index = skip; index < plan.points.size(); ++index) {
    verify_point(calls, index, lines.get());
  }
  return ExitCode::good;
}

int run_algorithms(int argc, char** argv) {
  CommandLine app(program.description);
  LaunchOptions options;
  add_launch_options(app, program, options);
  std::size_t skip = 0;
  app.add_option("--skip", skip, "Points that an earlier launch has reported")
      .capture_default_str();
  hockney::describe(
      app,
      {.examples =
           {{"mpirun -n 4 hockney-algorithms", "what broadcasts, reductions and barriers send"},
            {"mpirun -n 4 hockney-algorithms --operations allgather --sizes 8,64K -o calls.jsonl",
             "to a file"},
            {"OMPI_MCA_pml_monitoring_enable=1 mpirun -n 4 hockney-algorithms --operations bcast",
             "counted"}},
       .common = {"--operations", "--sizes", "--datatype", "--operator", "--bind", "--output"}});
  const auto prepare = [&] {
    check_launch_options(options);
    return false;
  };
  return run_mpi_program(app, {.prepare = prepare, .run = [&] { return run(options, skip); }}, argc,
                         argv);
}

}  // namespace

NamedProgram algorithms_program() {
  return {program.procedure, program.description, run_algorithms};
}

}  // namespace hockney::benchmarks::programs
