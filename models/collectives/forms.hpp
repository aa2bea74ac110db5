#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/collectives/measured_network.hpp"
#include "models/collectives/replay.hpp"
#include "models/schedules/schedule.hpp"

namespace hockney::collectives {

/// The textbook time of one algorithm (Thakur, Rabenseifner, Gropp 2005). All ranks are equally far
/// apart, and every rank sends and receives one message at a time.
struct ClosedForm {
  std::string name;     ///< "closed", or what sets it apart: "closed, sends at once"
  std::string formula;  ///< with L = ceil(log2 p), h(n) = a + b n, m = segment, s = segments
  Costs (*costs)(const schedules::Workload&) = nullptr;
};

/// The closed forms of an algorithm under its canonical name (models/schedules/schedule.hpp), the
/// usual one first. Several if libraries wait for different messages; empty if no form is known.
std::vector<ClosedForm> closed_forms(const std::string& operation, const std::string& algorithm);

/// The closed forms of one operation, by algorithm.
using FormFamily = std::map<std::string, std::vector<ClosedForm>>;

FormFamily bcast_forms();
FormFamily reduce_forms();
FormFamily gather_forms();
FormFamily scatter_forms();
FormFamily barrier_forms();
FormFamily allreduce_forms();
FormFamily allgather_forms();
FormFamily alltoall_forms();
FormFamily reduce_scatter_forms();
FormFamily reduce_scatter_block_forms();
FormFamily scan_forms();

/// A model that is linear in its parameters: T = sum of row[j] parameter[j].
struct Form {
  std::string name;                     ///< "closed", "log2", "replay"
  std::string formula;                  ///< for people
  std::vector<std::string> parameters;  ///< with units: "alpha_seconds"
  /// All zero where the form has no time for the work.
  std::function<std::vector<double>(const schedules::Workload&)> row;
  /// Mean size of the messages that follow one another [B]; empty: the work's own bytes.
  std::function<double(const schedules::Workload&)> message_bytes;
  bool knows_algorithm = true;  ///< false: grows as some function of p and n
};

/// Measurements beside the times of one algorithm.
struct FormContext {
  const GammaTable* gammas = nullptr;
  /// The network of a number of ranks; nullopt when it is not known.
  std::function<std::optional<RankNetwork>(int ranks)> network;
  /// The time [s] of one message of so many bytes by ping-pong; empty without ping-pongs.
  std::function<double(double bytes)> message_seconds;
};

/// At the end of the names of forms for libraries that run the algorithm also for works for which
/// Open MPI runs another one.
inline constexpr const char* never_replaced = ", never replaced";

/// The forms worth trying, the more specific first. Without an algorithm those of the black box
/// remain.
std::vector<Form> forms_for(const std::string& operation,
                            const std::optional<std::string>& algorithm,
                            const FormContext& context = {});

/// Trees whose ranks send to several children at once, which takes gamma(children + 1, n) times as
/// long as one message. A time is predicted only where the table has the gammas it needs: the row
/// is zero otherwise. Empty for algorithms that are no such trees.
std::vector<Form> gamma_forms(const std::string& operation, const std::string& algorithm,
                              const GammaTable& gammas);

}  // namespace hockney::collectives

namespace hockney::collectives::forms {

/// One message of `bytes`.
inline Costs message(double bytes) { return {1, bytes, 0}; }

/// One message of `bytes`, then its reduction.
inline Costs combined(double bytes) { return {1, bytes, bytes}; }

inline double bytes(const schedules::Workload& work) {
  return static_cast<double>(work.bytes.value);
}

inline double ranks(const schedules::Workload& work) { return work.ranks; }

/// ceil(log_base p).
inline int rounds(int ranks, int base = 2) {
  int count = 0;
  for (std::int64_t reached = 1; reached < ranks; reached *= base) ++count;
  return count;
}

/// Largest power of two ranks.
inline int power(const schedules::Workload& work) { return schedules::power_below(work.ranks); }

/// 1 where some ranks stand aside because p is no power of two, 0 otherwise.
inline double folds(const schedules::Workload& work) {
  return schedules::is_power_of_two(work.ranks) ? 0 : 1;
}

/// n (q-1)/q: what a scatter among q ranks leaves of n bytes.
inline double all_but_one_part(double bytes, int parts) { return bytes * (parts - 1) / parts; }

inline double segments(const schedules::Workload& work) {
  return static_cast<double>(segments_of(work).size());
}

/// Bytes of the largest segment.
inline double segment(const schedules::Workload& work) {
  return static_cast<double>(segments_of(work).front().count * work.element_bytes);
}

inline int fanout(const schedules::Workload& work, int usual) {
  return work.fanout > 0 ? work.fanout : usual;
}

}  // namespace hockney::collectives::forms
