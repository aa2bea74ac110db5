#pragma once

#include <array>
#include <string_view>

#include "core/record.hpp"

namespace hockney {

/// How an enumerator is spelled in a document.
template <class Enum>
struct Word {
  Enum value;
  std::string_view text;
};

inline constexpr std::array<Word<PointStatus>, 3> point_status_words{
    {{PointStatus::measured, "measured"},
     {PointStatus::skipped, "skipped"},
     {PointStatus::failed, "failed"}}};

inline constexpr std::array<Word<LaunchStatus>, 3> launch_status_words{
    {{LaunchStatus::complete, "complete"},
     {LaunchStatus::interrupted, "interrupted"},
     {LaunchStatus::failed, "failed"}}};

inline constexpr std::array<Word<Proof>, 3> proof_words{
    {{Proof::proven, "proven"}, {Proof::ignored, "ignored"}, {Proof::unproven, "unproven"}}};

constexpr std::string_view word(PointStatus status) {
  return point_status_words.at(static_cast<std::size_t>(status)).text;
}

constexpr std::string_view word(Proof proof) {
  return proof_words.at(static_cast<std::size_t>(proof)).text;
}

constexpr std::string_view word(LaunchStatus status) {
  return launch_status_words.at(static_cast<std::size_t>(status)).text;
}

}  // namespace hockney
