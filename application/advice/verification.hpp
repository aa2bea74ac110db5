#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "application/advice/advice.hpp"
#include "core/provenance.hpp"
#include "core/words.hpp"
#include "verdicts/compare.hpp"

namespace hockney::advice {

/// A launch of the program as it was, or with a change. Blocks hold a launch of each, in random
/// order.
struct TrialLaunch {
  int block = 0;
  std::optional<std::size_t> advice;  ///< which of them; nullopt: as it was
  double seconds = 0;                 ///< from MPI_Init to MPI_Finalize, the longest of any rank
};

/// Whether launches bear a prediction out: the interval of the measured ratio against the range of
/// the predicted one.
enum class Agreement { as_predicted, gains_less, gains_more, cannot_tell };

constexpr auto words_of(std::type_identity<Agreement>) {
  return std::to_array<std::string_view>(
      {"as predicted", "less than predicted", "more than predicted", "cannot tell"});
}

/// What launches say of one advice.
struct Verified {
  verdicts::Comparison comparison;  ///< of the change (B) with the program as it was (A)
  Interval expected_ratio;          ///< B/A by the models; no level
  Agreement agreement = Agreement::cannot_tell;
};

/// One for each advice that was launched, nullopt for others; all are one family of verdicts.
/// `measured`: the time of the run that advice was made for [s].
std::vector<std::optional<Verified>> verify(std::span<const Advice> advice, double measured,
                                            std::span<const TrialLaunch> launches);

/// Whether a change was in force: the words of Proof, and by what it was seen.
struct InForce {
  Proof proof = Proof::unproven;
  std::string evidence;
};

/// `asked`: hosts of ranks in order, against those of the profiles of its launches.
InForce placed_as_asked(const std::vector<std::string>& asked,
                        std::span<const profile::Profile> launches);

/// Of the variables of a change as the library says that they are in force.
InForce set_as_asked(std::span<const RequestedSetting> settings);

}  // namespace hockney::advice
