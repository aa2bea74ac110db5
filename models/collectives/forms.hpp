#pragma once

#include <functional>
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

}  // namespace hockney::collectives
