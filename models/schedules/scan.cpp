#include "models/schedules/common_steps.hpp"
#include "models/schedules/family.hpp"
#include "models/schedules/traffic.hpp"

namespace hockney::schedules {
namespace {

// The messages of scan and exscan are the same; they differ in what each rank keeps.

Schedule linear_scan(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  for (int rank = 1; rank < workload.ranks; ++rank) {
    drawing.message(rank - 1, rank, whole(workload), Delivery::combine_prefix);
  }
  return drawing.finish();
}

Schedule recursive_doubling_scan(const Workload& workload) {
  Drawing drawing = draw_vector(workload);
  for (int distance = 1; distance < workload.ranks; distance *= 2) {
    for (int rank = 0; rank < workload.ranks; ++rank) {
      const int partner = rank ^ distance;
      if (partner >= workload.ranks) continue;
      drawing.receive(rank, partner, whole(workload),
                      rank > partner ? Delivery::combine_prefix : Delivery::combine);
      drawing.send(rank, partner, whole(workload));
      drawing.wait(rank);
    }
  }
  return drawing.finish();
}

}  // namespace

Family scan_family() {
  return {{"linear", {"basic_linear"}, linear_scan},
          {"recursive_doubling", {"rdb"}, recursive_doubling_scan}};
}

Family exscan_family() { return scan_family(); }

}  // namespace hockney::schedules
