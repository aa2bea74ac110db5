#pragma once

#include <string>
#include <vector>

#include "driver/campaign/config.hpp"

namespace hockney::campaign {

/// The ranks that an operation works between.
enum class OperationRanks { two, pairs, all };

constexpr auto words_of(std::type_identity<OperationRanks>) {
  return std::to_array<std::string_view>({"two", "pairs", "all"});
}

/// An operation as the MPI programs list it.
struct ListedOperation {
  std::string name;
  std::string program;  ///< whose options and sizes it needs
  OperationRanks ranks = OperationRanks::two;
  std::string summary;  ///< what is timed
};

/// What the MPI programs of this build measure, asked of them. InputError if they are not found,
/// RunError if one does not answer.
std::vector<ListedOperation> listed_operations(const std::vector<std::string>& executable_folders);

/// A campaign of operations at all sizes, and how each differs from the measurement of the suite
/// that its name is from.
struct OperationCampaign {
  Config config;
  std::vector<std::string> remarks;
};

/// The campaign that measures operations, named as hockney, OMB (osu_allreduce), IMB (IMB-MPI1
/// Allreduce PingPong) or MPI (MPI_Allreduce) name them. `ranks` is for operations of all ranks.
/// InputError for an unknown operation, with the nearest of `listed` and `configs`.
OperationCampaign operation_campaign(const std::vector<std::string>& words,
                                     const std::vector<ListedOperation>& listed,
                                     const std::vector<std::string>& configs, int ranks);

/// Operations that the config's own arguments choose; empty if its program chooses.
std::vector<std::string> chosen_operations(const Config& config);

/// Whether a campaign is of operations alone: no config file, and one setting.
bool is_of_operations(const Config& config);

}  // namespace hockney::campaign
