#pragma once

#include <string_view>

#include "verdicts/health/nightly_series.hpp"

namespace hockney {

inline constexpr std::string_view word(SeriesRole role) {
  return role == SeriesRole::control ? "control" : "subject";
}

inline constexpr std::string_view word(WorseWhen worse) {
  return worse == WorseWhen::smaller ? "smaller" : "larger";
}

inline constexpr SeriesRole role_of(std::string_view text) {
  return text == word(SeriesRole::control) ? SeriesRole::control : SeriesRole::subject;
}

inline constexpr WorseWhen worse_of(std::string_view text) {
  return text == word(WorseWhen::smaller) ? WorseWhen::smaller : WorseWhen::larger;
}

}  // namespace hockney
