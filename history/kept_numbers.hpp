#pragma once

#include <optional>
#include <string>
#include <vector>

#include "history/database.hpp"

namespace hockney {

/// A number that a command leaves for later ones, such as the threshold that `calibrate` found.
struct KeptNumber {
  std::string name;
  double value = 0;

  friend bool operator==(const KeptNumber&, const KeptNumber&) = default;
};

inline constexpr const char* threshold_name = "detector.threshold";

/// Takes the place of an earlier one of its name.
void keep_number(const HistoryDatabase& database, const KeptNumber& number);
std::optional<double> kept_number(const HistoryDatabase& database, const std::string& name);
/// By name.
std::vector<KeptNumber> kept_numbers(const HistoryDatabase& database);

}  // namespace hockney
