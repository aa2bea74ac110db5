#include "report/table_notes.hpp"

#include "report/number_text.hpp"

namespace hockney {

void print_disturbance(std::ostream& out, std::span<const Row> rows) {
  int visits = 0;
  int disturbed = 0;
  for (const Row& row : rows) {
    visits += row.visits;
    disturbed += row.visits - row.calm_visits;
  }
  if (disturbed == 0) return;
  out << "  disturbed: " << disturbed << " of " << visits
      << " visits do not count (a control without MPI ran slower beside them)\n";
}

void print_interval_note(std::ostream& out, std::span<const Row> rows) {
  for (const Row& row : rows) {
    if (!row.interval_seconds) continue;
    out << "  interval: of the median over launches, "
        << significant(100 * row.interval_seconds->level, 3) << " % sure\n\n";
    return;
  }
  out << "  no interval: it comes from launches, and needs " << samples_for_interval()
      << " of them\n\n";
}

}  // namespace hockney
