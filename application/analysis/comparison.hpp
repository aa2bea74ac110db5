#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/statistics.hpp"
#include "core/words.hpp"
#include "application/analysis/time_split.hpp"
#include "application/profile/profile.hpp"

namespace hockney::applications {

// Runs of a program at several numbers of ranks, or with several settings. Launches of the same are
// replications, and intervals come from them alone.

/// Whether the whole work stays the same when there are more ranks (strong), or that of a rank.
enum class Scaling { strong, weak };

constexpr auto words_of(std::type_identity<Scaling>) {
  return std::to_array<std::string_view>({"strong", "weak"});
}

/// A figure over launches: their median, and its interval where there are enough of them.
struct Figure {
  double value = 0;
  std::optional<Interval> interval;
};

/// Where the time of a run goes.
enum class Part { computing, load_imbalance, communication, files };

constexpr auto words_of(std::type_identity<Part>) {
  return std::to_array<std::string_view>({"computing", "load imbalance", "communication", "files"});
}

/// A share of the time of two runs.
template <class What>
struct Growth {
  What what{};
  double from = 0;
  double to = 0;

  [[nodiscard]] double difference() const { return to - from; }
};

/// The launches of one program at one number of ranks with one setting.
struct Run {
  int ranks = 0;
  int nodes = 0;
  std::vector<std::string> command_line;
  std::string library;
  std::map<std::string, std::string> settings;  ///< variables of the environment
  std::size_t launches = 0;
  Figure seconds;
  std::optional<Figure> parallel;                        ///< POP's PE
  std::optional<Figure> load_balance;                    ///< multiplicative
  std::optional<Figure> communication;                   ///< multiplicative
  std::array<double, enum_words<Part>.size()> shares{};  ///< of each Part, medians over launches
  std::map<std::string, double> call_shares;  ///< of the time of all ranks, medians over launches

  // Against the reference; nullopt where one of the two took no time.
  std::optional<Figure> speed_up;
  std::optional<Figure> scaling_efficiency;    ///< speed-up / (ranks / ranks of the reference)
  std::optional<Figure> computing_efficiency;  ///< C of the reference / C
  std::optional<Figure> global_efficiency;     ///< PE x computing efficiency
  std::optional<Growth<Part>> part_that_grew;  ///< the most; nullopt where none did
  std::optional<Growth<std::string>> call_that_grew;
};

struct Comparison {
  Scaling scaling = Scaling::strong;
  std::vector<Run>
      runs;  ///< by ranks, then in the order of the profiles; the first is the reference
};

/// Profiles are launches of one run when ranks, nodes, command line, MPI library and the variables
/// that steer MPI are the same. The interval of a ratio is that of its two medians, each at a level
/// so high that both hold at `level`. InputError for fewer than two runs.
Comparison compare(const std::vector<profile::Profile>& profiles, Scaling scaling,
                   double level = default_level);

/// The fewest launches that give a run's figures, and a ratio to another run, an interval.
std::size_t launches_for_intervals(double level = default_level);
std::size_t launches_for_ratios(double level = default_level);

}  // namespace hockney::applications
