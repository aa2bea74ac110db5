#pragma once

#include <optional>
#include <vector>

#include "application/profile/profile.hpp"

namespace hockney::applications {

// Where the time of a program went, and the efficiencies of POP (docs/profile.md has the formulae).
// C is the time outside of MPI of a rank, T the time of the rank that ran longest.

/// Parts of the time of one rank, or their mean over ranks [s]. They add up to the whole.
struct TimeParts {
  double computing_seconds = 0;  ///< outside of MPI and of files
  double mpi_seconds = 0;        ///< inside MPI, without files
  double mpi_io_seconds = 0;     ///< inside MPI_File_*
  double io_seconds = 0;         ///< files outside of MPI

  /// C: with files outside of MPI.
  [[nodiscard]] double outside_mpi() const { return computing_seconds + io_seconds; }
  [[nodiscard]] double whole() const { return outside_mpi() + mpi_seconds + mpi_io_seconds; }
};

/// Times of several threads add up in a profile. Where they are longer than the rank ran, each part
/// is scaled by the same factor, so that the parts add up to the time of the rank.
TimeParts time_parts(const profile::Rank& rank);

/// Multiplicative: parallel = load balance x communication; communication = serialisation x
/// transfer. Additive (PyPOP): parallel = 1 - what each loses. Serialisation and transfer need the
/// time on an ideal network, which a profile alone does not tell.
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
  TimeParts mean;                   ///< over the ranks that left something
  double ended_before_seconds = 0;  ///< mean time that ranks had ended before the last one
  double most_outside_seconds = 0;  ///< max C
  int busiest_rank = 0;             ///< that has it
  int ranks = 0;                    ///< that left something

  /// max C - mean C [s].
  [[nodiscard]] double load_seconds() const { return most_outside_seconds - mean.outside_mpi(); }
  /// C of all ranks [s].
  [[nodiscard]] double outside_of_all() const { return mean.outside_mpi() * ranks; }
  /// Time that all ranks ran [s].
  [[nodiscard]] double time_of_all() const { return mean.whole() * ranks; }
  [[nodiscard]] Efficiencies efficiencies() const;
};

TimeSplit time_split(const profile::Profile& profile);

/// What becomes of the mean time of a rank, as shares of it that add up to 1; nullopt where no time
/// passed. Load imbalance is max C - mean C, as far as it is within the time in MPI; the rest of
/// that is communication.
struct TimeShares {
  double computing = 0;
  double load_imbalance = 0;
  double communication = 0;
  double files = 0;  ///< in MPI and outside
};

std::optional<TimeShares> time_shares(const TimeSplit& split);

}  // namespace hockney::applications
