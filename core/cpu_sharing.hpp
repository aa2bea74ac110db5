#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/provenance.hpp"
#include "core/record.hpp"

namespace hockney {

/// Flag of launches whose ranks share CPUs, and of series whose threads do. Such times tell about
/// the scheduler of the operating system more than about MPI.
inline constexpr std::string_view oversubscribed_flag = "oversubscribed";

/// More ranks than there are CPUs for them.
struct CpuSharing {
  std::size_t ranks = 0;
  std::size_t cpus = 0;

  friend auto operator<=>(const CpuSharing&, const CpuSharing&) = default;
};

/// Ranks and CPUs of all hosts with more ranks than CPUs that these may run on; nullopt where no
/// host is such. Ranks without CPUs, such as simulated ones, do not count.
std::optional<CpuSharing> cpu_sharing(std::span<const RankPlace> places);

/// "4 ranks on 2 CPUs: times are those of ranks that share CPUs".
std::string oversubscription_text(const CpuSharing& sharing);

/// The same of some of `launches`, by what they share; empty where none do.
std::string oversubscription_text(const std::map<CpuSharing, std::size_t>& sharing,
                                  std::size_t launches);

/// The same of the complete ones among some launches, of two sides together; of threads that share
/// CPUs, "threads share CPUs".
std::string oversubscription_text(std::span<const Record> launches,
                                  std::span<const Record> other_side = {});

}  // namespace hockney
