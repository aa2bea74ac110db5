#pragma once

#include <array>
#include <string_view>

#include "campaign/manifest.hpp"

namespace hockney {

/// In the order of the enumerators.
inline constexpr std::array<std::string_view, 4> attempt_status_words{"running", "complete",
                                                                      "failed", "interrupted"};
inline constexpr std::array<std::string_view, 4> campaign_status_words{"running", "complete",
                                                                       "incomplete", "interrupted"};

constexpr std::string_view word(AttemptStatus status) {
  return attempt_status_words.at(static_cast<std::size_t>(status));
}

constexpr std::string_view word(CampaignStatus status) {
  return campaign_status_words.at(static_cast<std::size_t>(status));
}

}  // namespace hockney
