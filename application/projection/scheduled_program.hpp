#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "application/analysis/happens_before.hpp"
#include "application/projection/collective_times.hpp"

namespace hockney::projection {

/// For each collective of a program, or each kind of them, the algorithm that carries it out;
/// nullopt: it stays one.
using Carriers = std::vector<std::optional<std::string>>;

/// The program with the messages of schedules in place of collectives, so that ranks come to them
/// and leave them one by one. What is started in one call and completed in another happens where it
/// is completed. A call without data, as for the making of communicators, goes as a barrier does.
/// InputError for an algorithm that is unfit for the work.
applications::HappensBefore with_schedules(const applications::HappensBefore& program,
                                           const Carriers& carriers);

/// How many messages that adds.
std::int64_t scheduled_messages(const applications::HappensBefore& program,
                                const Carriers& carriers);

/// One program with several sets of schedules, each made once: those that were asked for first are
/// kept, of the others the last. The program must outlive this.
class ScheduledPrograms {
 public:
  explicit ScheduledPrograms(const applications::HappensBefore& program);

  /// What carries out each kind of blocking collectives where some algorithms are forced: what goes
  /// on in others while ranks compute is not known.
  [[nodiscard]] Carriers carriers(const collectives::Fits& fits,
                                  const ForcedAlgorithms& forced) const;

  /// With the messages of these carriers; as it is where there are none, or too many. It lasts
  /// until others are asked for. Errors as with_schedules().
  const applications::HappensBefore& with(const Carriers& of_kinds);

 private:
  struct Made {
    Carriers of_kinds;
    std::optional<applications::HappensBefore> program;  ///< nullopt: as it is
  };
  [[nodiscard]] Made made(const Carriers& of_kinds) const;

  const applications::HappensBefore& program_;
  std::vector<std::size_t> first_calls_;                  ///< of each kind
  std::vector<std::optional<std::size_t>> kind_of_call_;  ///< nullopt: not to be carried out
  std::array<std::optional<Made>, 2> made_;
};

}  // namespace hockney::projection
