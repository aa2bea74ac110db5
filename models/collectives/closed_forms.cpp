#include "models/collectives/closed_forms.hpp"

#include "models/collectives/form_families.hpp"

namespace hockney {

std::vector<ClosedForm> closed_forms(const std::string& operation, const std::string& algorithm) {
  static const std::map<std::string, FormFamily> all{
      {"allgather", allgather_forms()},
      {"allreduce", allreduce_forms()},
      {"alltoall", alltoall_forms()},
      {"barrier", barrier_forms()},
      {"bcast", bcast_forms()},
      {"exscan", scan_forms()},
      {"gather", gather_forms()},
      {"reduce", reduce_forms()},
      {"reduce_scatter", reduce_scatter_forms()},
      {"reduce_scatter_block", reduce_scatter_block_forms()},
      {"scan", scan_forms()},
      {"scatter", scatter_forms()}};
  const auto family = all.find(operation);
  if (family == all.end()) return {};
  const auto forms = family->second.find(algorithm);
  return forms == family->second.end() ? std::vector<ClosedForm>() : forms->second;
}

}  // namespace hockney
