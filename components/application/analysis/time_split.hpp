#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/application/analysis/cpu_use.hpp"
#include "components/application/profile/profile.hpp"
#include "core/statistics.hpp"
#include "core/text.hpp"

namespace hockney::applications {

// Where the time of a program went, and the efficiencies of POP. Formulae:
// docs/explanation/program-time.md. C is the time of a rank outside of MPI. T is the time of the
// rank that ran longest. Time without a CPU is a part of its own, and in none of the others.

/// Parts of the time of one rank, or means over ranks [s]. They add up to the whole.
struct TimeParts {
  double computing_seconds = 0;      ///< outside of MPI and of files
  double mpi_seconds = 0;            ///< inside MPI, without files
  double mpi_io_seconds = 0;         ///< inside MPI_File_*
  double io_seconds = 0;             ///< files outside of MPI
  double not_scheduled_seconds = 0;  ///< ready to run, without a CPU; 0 if not known

  /// C: includes files outside of MPI.
  [[nodiscard]] double outside_mpi() const { return computing_seconds + io_seconds; }
  [[nodiscard]] double whole() const {
    return outside_mpi() + mpi_seconds + mpi_io_seconds + not_scheduled_seconds;
  }
};

/// A profile sums the times of several threads. A rank computes while one of its threads does, and
/// another waits in MPI. If the sum exceeds the rank's time without that computing, all parts are
/// scaled by one factor to match it.
TimeParts time_parts(const profile::Rank& rank);

/// Multiplicative: parallel = load balance x communication; communication = serialisation x
/// transfer. Additive (PyPOP): parallel = 1 - the sum of the losses. Serialisation and transfer
/// need the time on an ideal network; a profile without a log does not have it.
struct Efficiencies {
  std::optional<double> parallel;       ///< mean C / T, of both forms
  std::optional<double> load_balance;   ///< mean C / max C
  std::optional<double> communication;  ///< max C / T
  std::optional<double> serialisation;
  std::optional<double> transfer;
  std::optional<double> additive_load_balance;   ///< 1 - (max C - mean C) / T
  std::optional<double> additive_communication;  ///< 1 - (T - max C) / T
};

struct TimeSplit {
  double seconds = 0;               ///< T
  TimeParts mean;                   ///< over the ranks that left a part
  double ended_before_seconds = 0;  ///< mean time between the end of a rank and the end of the last
  double most_outside_seconds = 0;  ///< max C
  int busiest_rank = 0;             ///< rank with max C
  int ranks = 0;                    ///< that left a part

  /// max C - mean C [s].
  [[nodiscard]] double load_seconds() const { return most_outside_seconds - mean.outside_mpi(); }
  /// C of all ranks [s].
  [[nodiscard]] double outside_of_all() const { return mean.outside_mpi() * ranks; }
  /// Time that all ranks ran [s].
  [[nodiscard]] double time_of_all() const { return mean.whole() * ranks; }
  [[nodiscard]] Efficiencies efficiencies() const;
};

TimeSplit time_split(const profile::Profile& profile);

/// Shares of the mean time of a rank; they add up to 1. Load imbalance is max C - mean C, up to the
/// time in MPI; the rest of MPI is communication. nullopt if no time passed.
struct TimeShares {
  double computing = 0;
  double load_imbalance = 0;
  double communication = 0;
  double files = 0;  ///< in MPI and outside
  double not_scheduled = 0;
};

std::optional<TimeShares> time_shares(const TimeSplit& split);

/// The parallel region whose threads wait longest; nullptr if none has any time.
const profile::ParallelRegion* most_waiting_region(const profile::Profile& profile);
/// Time of a parallel region's threads at barriers [s].
double waiting_seconds(const profile::ParallelRegion& one);
/// Time of its slowest thread over that of the mean thread, over all executions.
std::optional<double> thread_imbalance(const profile::ParallelRegion& one);
// Runs of a program at several numbers of ranks, or with several settings. Launches with equal
// settings are replications; intervals come from them alone.

/// What stays the same with more ranks: the whole work (strong), or the work per rank (weak).
enum class Scaling { strong, weak };

constexpr auto words_of(std::type_identity<Scaling>) {
  return std::to_array<std::string_view>({"strong", "weak"});
}

/// A figure over launches: median, and interval if there are enough launches.
struct Figure {
  double value = 0;
  std::optional<Interval> interval;
};

/// Parts of the time of a run.
enum class Part { computing, load_imbalance, communication, files, not_scheduled };

constexpr auto words_of(std::type_identity<Part>) {
  return std::to_array<std::string_view>(
      {"computing", "load imbalance", "communication", "files", "not scheduled"});
}

/// Change of a share of the time between two runs.
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
  std::map<std::string, std::string> settings;  ///< environment variables
  std::size_t launches = 0;
  /// Launches whose ranks had no CPU for so long that their times are not the program's
  /// (CpuSummary::is_starved).
  std::size_t starved_launches = 0;
  std::optional<double> cpu_fraction;  ///< median over launches; nullopt: not known of all
  Figure seconds;
  std::optional<Figure> parallel;                        ///< POP's PE
  std::optional<Figure> load_balance;                    ///< multiplicative
  std::optional<Figure> communication;                   ///< multiplicative
  std::array<double, enum_words<Part>.size()> shares{};  ///< of each Part, medians over launches
  std::map<std::string, double> call_shares;  ///< of the time of all ranks, medians over launches

  // Relative to the reference; nullopt if one of the two took no time.
  std::optional<Figure> speed_up;
  std::optional<Figure> scaling_efficiency;    ///< speed-up / (ranks / ranks of the reference)
  std::optional<Figure> computing_efficiency;  ///< C of the reference / C
  std::optional<Figure> global_efficiency;     ///< PE x computing efficiency
  std::optional<Growth<Part>> part_that_grew;  ///< the part that grew most; nullopt if none grew
  std::optional<Growth<std::string>> call_that_grew;
};

struct Comparison {
  Scaling scaling = Scaling::strong;

  /// Whether any launch was starved: differences between runs then may not come from the program.
  [[nodiscard]] bool is_starved() const;

  std::vector<Run>
      runs;  ///< by ranks, then in the order of the profiles; the first is the reference
};

/// Profiles are launches of one run if five things are equal: ranks, nodes, command line, MPI
/// library, and variables that control MPI. The interval of a ratio joins those of two medians.
/// Each has a level so high that both hold at `level`. InputError for fewer than two runs.
Comparison compare(const std::vector<profile::Profile>& profiles, Scaling scaling,
                   double level = default_level);

/// Fewest launches for an interval of a run's figures, and of a ratio to another run.
std::size_t launches_for_intervals(double level = default_level);
std::size_t launches_for_ratios(double level = default_level);

}  // namespace hockney::applications
