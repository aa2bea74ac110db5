#pragma once

#include <string>

#include "core/cli/command_line.hpp"
#include "health/app/health_history.hpp"
#include "health/app/health_judging.hpp"

namespace hockney {

/// What the user said of how to judge, as texts.
struct DetectorWords {
  std::string threshold;
  std::string practical;
  std::string baseline;
  std::string recent;
  std::string series = "*";
  std::string day;
  bool single_night = false;
};

/// Adds the options that `check` and `calibrate` have in common, with their real defaults.
void add_detector_options(CLI::App& app, DetectorWords& words);

/// The threshold that is taken where none is given, as a text.
std::string default_threshold();

/// InputError for a word that makes no sense. Where no threshold is given it is the one that
/// `calibrate --keep` left in the history, or else the default.
JudgingOptions judging_options(const DetectorWords& words, const HistoryDatabase& database);

}  // namespace hockney
