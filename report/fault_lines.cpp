#include "report/fault_lines.hpp"

#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

std::string begin_of(Fault fault) {
  switch (fault) {
    case Fault::wrong_data:
      return "WRONG DATA were received";
    case Fault::clocks_drifted:
      return "CLOCKS DRIFTED APART";
    case Fault::library_degraded:
      break;
  }
  return "THE MPI LIBRARY FAILED TO SET UP SHARED MEMORY";
}

std::string fault_line(const FaultFinding& found) {
  std::string line = begin_of(found.fault) + " at " + count_text(found.points, "point") + ", in " +
                     std::to_string(found.launches) + " of " +
                     count_text(found.of_launches, "launch") + ": " + found.first;
  if (found.points > 1) line += ", ...";
  if (!found.detail.empty()) line += " (" + found.detail + ")";
  return inert(line) + "; left out of all figures";
}

}  // namespace

std::vector<std::string> fault_lines(std::span<const FaultFinding> faults) {
  return strings_of(faults, fault_line);
}

void print_faults(std::ostream& out, std::span<const FaultFinding> faults) {
  for (const std::string& line : fault_lines(faults)) out << line << "\n\n";
}

}  // namespace hockney::report
