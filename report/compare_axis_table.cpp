#include "report/compare_axis_table.hpp"

#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "report/compare_table.hpp"
#include "report/places_text.hpp"

namespace hockney {

void print_compare_axis_table(std::ostream& out, const AxisCompareSet& set) {
  for (const AxisComparison& comparison : set.comparisons) {
    out << "\nA: " << inert(set.axis + "=" + set.base)
        << "; B: " << inert(set.axis + "=" + comparison.value) << places_text(comparison.others)
        << '\n';
    print_compare_body(out, comparison.set);
  }
  if (!set.alone.empty()) {
    out << "\nnot compared: " << inert(set.axis + "=" + join(set.alone, ", "))
        << " (no setting with " << inert(set.axis + "=" + set.base) << " is like it otherwise)\n";
  }
  print_family(out, set.family, set.options);
}

}  // namespace hockney
