#include "core/settings/intel_presets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace hockney {
namespace {

using Names = std::span<const std::string_view>;

// "Topology aware" of the reference is "topology" here. Presets begin at 1; 0 is the library's own
// choice.
constexpr std::array<std::string_view, 5> allgather{"recursive doubling", "Bruck", "ring",
                                                    "topology gatherv + bcast", "knomial"};
constexpr std::array<std::string_view, 12> allreduce{"recursive doubling",
                                                     "Rabenseifner",
                                                     "reduce + bcast",
                                                     "topology reduce + bcast",
                                                     "binomial gather + scatter",
                                                     "topology binomial gather + scatter",
                                                     "Shumilin ring",
                                                     "ring",
                                                     "knomial",
                                                     "topology flat, shared memory",
                                                     "topology knomial, shared memory",
                                                     "topology k-ary, shared memory"};
constexpr std::array<std::string_view, 4> alltoall{"Bruck", "Isend/Irecv + waitall",
                                                   "pairwise exchange", "Plum"};
constexpr std::array<std::string_view, 9> barrier{"dissemination",
                                                  "recursive doubling",
                                                  "topology dissemination",
                                                  "topology recursive doubling",
                                                  "binomial gather + scatter",
                                                  "topology binomial gather + scatter",
                                                  "topology flat, shared memory",
                                                  "topology knomial, shared memory",
                                                  "topology k-ary, shared memory"};
constexpr std::array<std::string_view, 11> bcast{"binomial",
                                                 "recursive doubling",
                                                 "ring",
                                                 "topology binomial",
                                                 "topology recursive doubling",
                                                 "topology ring",
                                                 "Shumilin",
                                                 "knomial",
                                                 "topology flat, shared memory",
                                                 "topology knomial, shared memory",
                                                 "topology k-ary, shared memory"};
constexpr std::array<std::string_view, 11> reduce{"Shumilin",
                                                  "binomial",
                                                  "topology Shumilin",
                                                  "topology binomial",
                                                  "Rabenseifner",
                                                  "topology Rabenseifner",
                                                  "knomial",
                                                  "topology flat, shared memory",
                                                  "topology knomial, shared memory",
                                                  "topology k-ary, shared memory",
                                                  "topology binomial, shared memory"};

struct Presets {
  std::string_view variable;
  Names names;
};

constexpr std::array presets{
    Presets{"I_MPI_ADJUST_ALLGATHER", allgather}, Presets{"I_MPI_ADJUST_ALLREDUCE", allreduce},
    Presets{"I_MPI_ADJUST_ALLTOALL", alltoall},   Presets{"I_MPI_ADJUST_BARRIER", barrier},
    Presets{"I_MPI_ADJUST_BCAST", bcast},         Presets{"I_MPI_ADJUST_REDUCE", reduce}};

}  // namespace

std::string_view intel_preset_name(std::string_view variable, std::int64_t preset) {
  const auto* const found = std::ranges::find(presets, variable, &Presets::variable);
  if (found == presets.end() || preset < 1) return {};
  const auto place = static_cast<std::size_t>(preset) - 1;
  return place < found->names.size() ? found->names[place] : std::string_view();
}

}  // namespace hockney
