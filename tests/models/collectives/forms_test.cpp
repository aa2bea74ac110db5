#include "models/collectives/forms.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "core/collectives.hpp"

namespace hockney::collectives {
namespace {

using Names = std::set<std::string>;

TEST_CASE("every algorithm of Open MPI has a schedule, but for some") {
  Names without;
  for (const Collective& collective : all_collectives) {
    const Collective* const scheduled = scheduled_form(collective);
    if (scheduled == nullptr) continue;
    const std::string operation(scheduled->name);
    for (const std::string_view name : known_names(collective.open_mpi)) {
      const auto algorithm = schedules::canonical_algorithm(operation, std::string(name));
      if (schedules::has_algorithm(operation, algorithm)) continue;
      without.insert(std::string(collective.name) + " " + algorithm);
    }
  }
  // Two are compositions, which driver/campaign/fingerprints knows.
  CHECK(without == Names{"allgather direct-messaging", "allgatherv default",
                         "allreduce allgather_reduce", "reduce knomial",
                         "reduce-scatter non-overlapping", "reduce-scatter-block basic_linear"});
}

TEST_CASE("every algorithm with a schedule has a closed form, but for some") {
  Names without;
  for (const std::string& operation : schedules::scheduled_operations()) {
    for (const std::string& algorithm : schedules::algorithms_of(operation)) {
      if (closed_forms(operation, algorithm).empty()) without.insert(operation + " " + algorithm);
    }
  }
  CHECK(without == Names{"allgather sparbit", "bcast split_binary_tree", "gather linear_sync",
                         "reduce in-order_binary"});
}

}  // namespace
}  // namespace hockney::collectives
