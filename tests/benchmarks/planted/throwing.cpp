// A program of the suite whose operations throw on one rank (HOCKNEY_THROWING_RANK), while they own
// what waits for all ranks when it is destroyed: windows with epochs, and a file. Or it hangs
// there.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/environment.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/programs/launch/program.hpp"

namespace hockney::benchmarks {
namespace {

enum class Moment { made, refilled, run, verified };

bool is_thrower() {
  const char* rank = std::getenv("HOCKNEY_THROWING_RANK");
  return rank != nullptr && rank_in(MPI_COMM_WORLD) == std::atoi(rank);
}

constexpr std::string_view name_of(Moment moment) {
  switch (moment) {
    case Moment::made:
      return "throws-when-made";
    case Moment::refilled:
      return "throws-in-refill";
    case Moment::run:
      return "throws-in-run";
    case Moment::verified:
      return "throws-in-verify";
  }
  return "";
}

Point with_file(Point point) {
  point.parameters.set(file_path_parameter, std::filesystem::temp_directory_path().string());
  point.parameters.set(synchronisation_parameter, EpochKind::fence);
  return point;
}

template <Moment moment>
class Throwing {
 public:
  static constexpr Descriptor descriptor{.name = name_of(moment),
                                         .summary = "nothing",
                                         .counts = "nothing",
                                         .shape = GroupShape::everybody,
                                         .timing = Timing::last_rank};
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  Throwing(const Context& context, const Point& point)
      : comm_(context.comm),
        file_(context, with_file(point)),
        memory_(context.comm, WindowKind::dynamic, 8),
        epochs_({.comm = context.comm, .window = memory_.window()}, with_file(point)) {
    file_.open();
    fail_at(Moment::made);
  }

  void refill(std::uint64_t) { fail_at(Moment::refilled); }
  void run() {
    MPI_Barrier(comm_);
    fail_at(Moment::run);
  }
  [[nodiscard]] bool verify(std::uint64_t) const {
    fail_at(Moment::verified);
    return true;
  }

 private:
  static void fail_at(Moment now) {
    if (now == moment && is_thrower()) throw std::runtime_error("planted");
  }

  MPI_Comm comm_;
  MeasuredFile file_;
  ExposedMemory memory_;
  Epochs epochs_;
};

/// One rank does not come back from its second block, after two calibrations.
class Hanging {
 public:
  static constexpr Descriptor descriptor{.name = "hangs-after-a-while",
                                         .summary = "nothing",
                                         .counts = "nothing",
                                         .shape = GroupShape::everybody,
                                         .timing = Timing::last_rank};
  static Volume volume(const Point& point) { return {.operations = 1, .bytes = point.bytes}; }

  Hanging(const Context& context, const Point&) : comm_(context.comm) {}

  void refill(std::uint64_t) {
    static int refills = 0;
    constexpr int last = 4;
    if (++refills < last || !is_thrower()) return;
    for (;;) ::pause();
  }
  void run() { MPI_Barrier(comm_); }
  [[nodiscard]] bool verify(std::uint64_t) const { return true; }

 private:
  MPI_Comm comm_;
};

const Registration<Hanging> hanging;
const Registration<Throwing<Moment::made>> made;
const Registration<Throwing<Moment::refilled>> refilled;
const Registration<Throwing<Moment::run>> run;
const Registration<Throwing<Moment::verified>> verified;

}  // namespace
}  // namespace hockney::benchmarks

int main(int argc, char** argv) {
  using namespace hockney;
  return benchmarks::programs::run_program(
      {.procedure = "throwing",
       .description = "Operations that throw on one rank",
       .operations = "throws-when-made",
       .agree =
           [](benchmarks::programs::LaunchOptions& options) {
             if (options.seed != 2 || !benchmarks::is_thrower()) return;  // --seed 2 asks for it
             throw InputError({"planted input", "of one rank", ""});
           }},
      argc, argv);
}
