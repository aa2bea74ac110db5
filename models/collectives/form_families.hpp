#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/collectives/closed_forms.hpp"

namespace hockney {

/// The closed forms of one operation, by algorithm.
using FormFamily = std::map<std::string, std::vector<ClosedForm>>;

FormFamily bcast_forms();
FormFamily reduce_forms();
FormFamily gather_forms();
FormFamily scatter_forms();
FormFamily barrier_forms();
FormFamily allreduce_forms();
FormFamily allgather_forms();
FormFamily alltoall_forms();
FormFamily reduce_scatter_forms();
FormFamily reduce_scatter_block_forms();
FormFamily scan_forms();

}  // namespace hockney
