#include "application/screens/simgrid_trace.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "application/projection/collective_times.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::CollectiveCall;
using applications::HappensBefore;
using applications::ProgramStep;
using profile::Function;
using Does = ProgramStep::Does;
using Needs = ProgramStep::Needs;

/// "allreduce 8 0": the action of a collective of all ranks; empty where SMPI replays none such.
std::string action_of(const CollectiveCall& call) {
  const auto collective = projection::work_of(call);
  const std::string bytes = std::to_string(collective ? collective->work.bytes.value : 0);
  const std::string root = std::to_string(std::max(call.root, 0));
  switch (call.function) {
    case Function::Barrier:
      return "barrier";
    case Function::Bcast:
      return "bcast " + bytes + " " + root;
    case Function::Reduce:
      return "reduce " + bytes + " 0 " + root;
    case Function::Allreduce:
      return "allreduce " + bytes + " 0";
    case Function::Alltoall:
      return "alltoall " + bytes + " " + bytes;
    case Function::Allgather:
      return "allgather " + bytes + " " + bytes;
    case Function::Gather:
      return "gather " + bytes + " " + bytes + " " + root;
    case Function::Scatter:
      return "scatter " + bytes + " " + bytes + " " + root;
    default:
      return {};
  }
}

projection::Carriers carriers_of(const HappensBefore& program) {
  projection::Carriers carriers;
  for (const CollectiveCall& call : program.collectives) {
    const bool is_own = call.ranks.size() == program.ranks.size() && !action_of(call).empty();
    const bool is_empty = call.waits == applications::Waits::for_nobody || call.ranks.size() < 2;
    const auto work = projection::work_of(call);
    carriers.push_back(is_own || is_empty
                           ? std::nullopt
                           : std::optional(work ? usual_algorithm(*work) : std::string("bruck")));
  }
  return carriers;
}

/// What was said of the log, and what becomes of it here.
std::vector<std::string> notes_on(const HappensBefore& program,
                                  const projection::Carriers& carriers) {
  std::vector<std::string> notes = program.notes;
  const auto count = [](const auto& items, auto is_it) {
    return std::ranges::count_if(items, is_it);
  };
  const auto scheduled =
      count(carriers, [](const auto& algorithm) { return algorithm.has_value(); });
  if (scheduled > 0) {
    notes.push_back(std::to_string(scheduled) +
                    " collectives that SMPI does not replay are messages of the usual algorithms");
  }
  const auto synchronous =
      count(program.messages, [](const applications::Transfer& one) { return one.is_synchronous; });
  if (synchronous > 0) {
    notes.push_back(std::to_string(synchronous) +
                    " synchronous sends are ordinary ones: SMPI replays no others");
  }
  return notes;
}

/// From 0 for each pair of ranks.
std::vector<int> tags_of(const std::vector<applications::Transfer>& messages) {
  std::map<std::pair<int, int>, int> next;
  std::vector<int> tags;
  tags.reserve(messages.size());
  for (const auto& message : messages) tags.push_back(next[{message.from, message.to}]++);
  return tags;
}

}  // namespace

SimGridTrace::SimGridTrace(const HappensBefore& program, double flops_per_second)
    : flops_per_second_(flops_per_second) {
  const projection::Carriers carriers = carriers_of(program);
  program_ = projection::with_schedules(program, carriers);
  program_.notes = notes_on(program, carriers);
  tags_ = tags_of(program_.messages);
}

void SimGridTrace::write(std::ostream& out, std::size_t rank) const {
  out << rank << " init\n";
  const Steps& steps = program_.ranks[rank];
  for (std::size_t place = 0; place < steps.size();) {
    write_compute(out, rank, steps[place].computing_seconds);
    place += write_action(out, rank, steps, place);
  }
  write_compute(out, rank, program_.tail_seconds[rank]);
  out << rank << " finalize\n";
}

void SimGridTrace::write_compute(std::ostream& out, std::size_t rank, double seconds) const {
  if (seconds > 0) out << rank << " compute " << exact_text(seconds * flops_per_second_) << '\n';
}

std::size_t SimGridTrace::write_action(std::ostream& out, std::size_t rank, const Steps& steps,
                                       std::size_t place) const {
  const ProgramStep& step = steps[place];
  if (step.does == Does::enters || step.needs == Needs::left) {
    // What is entered by one call and left in another is no collective any more, but for those
    // without data.
    const CollectiveCall& call = program_.collectives[step.index];
    const bool is_empty = call.waits == applications::Waits::for_nobody;
    if (step.does == Does::enters && !is_empty) out << rank << ' ' << action_of(call) << '\n';
    return 1;
  }
  if (step.does == Does::nothing && step.needs == Needs::nothing) return 1;
  const applications::Transfer& message = program_.messages[step.index];
  const int tag = tags_[step.index];
  if (step.does == Does::nothing) {
    out << rank << " wait " << message.from << ' ' << message.to << ' ' << tag << '\n';
    return 1;
  }
  const bool is_send = step.does == Does::sends;
  const Needs needs = is_send ? Needs::sent : Needs::received;
  const bool is_blocking = place + 1 < steps.size() && steps[place + 1].needs == needs &&
                           steps[place + 1].index == step.index &&
                           !(steps[place + 1].computing_seconds > 0);
  out << rank << (is_blocking ? " " : " i") << (is_send ? "send " : "recv ")
      << (is_send ? message.to : message.from) << ' ' << tag << ' ' << message.bytes << '\n';
  return is_blocking ? 2 : 1;
}

}  // namespace hockney::report
