#include "campaign/setting_algorithms.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/failure_cause.hpp"
#include "campaign/fingerprints/verdict.hpp"
#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"

namespace hockney::campaign {

constexpr auto fields_of(std::type_identity<SettingAlgorithms>) {
  return object_of(
      DocumentSchema{"hockney.algorithms/1", "remove the file, and the witness is launched again"},
      key("library", &SettingAlgorithms::library), key("failure", &SettingAlgorithms::failure),
      key("launches", &SettingAlgorithms::launches),
      key("algorithms", &SettingAlgorithms::algorithms), at_most("launches", most_launches));
}

void save_setting_algorithms(const std::string& setting, const SettingAlgorithms& known,
                             const std::string& file) {
  nlohmann::json document = known;
  document["setting"] = setting;
  write_atomically(file, json_text(document) + "\n");
}

SettingAlgorithms load_setting_algorithms(const std::string& file) {
  return read_value<SettingAlgorithms>(load_json(file));
}

void AlgorithmFindings::judge(const VerificationPoint& point, const std::string& log) {
  const RequestedAlgorithm requested =
      requested_algorithm(point.point.operation, verification_.requested, launcher_arguments_);
  found_.algorithms.push_back(judge_algorithm(verification_, point, requested, log));
}

void AlgorithmFindings::add(const VerificationRun& verification, const std::string& log) {
  verification_ = verification;
  found_.library = verification.library;
  ++found_.launches;
  const std::size_t known_before = known();
  while (known() < verification.points.size()) {
    const VerificationPoint& point = verification.points[known()];
    if (point.stage == VerificationStage::done) {
      judge(point, log);
      continue;
    }
    // The launch ended in this call; or before it, which is held against the point only when
    // nothing before it can have been the reason.
    const bool to_blame = point.stage == VerificationStage::begun || known() == known_before;
    if (to_blame) judge(point, log);
    break;
  }
  is_complete_ = known() == verification.points.size();
}

void AlgorithmFindings::add_failed(const std::string& log) {
  ++found_.launches;
  is_complete_ = true;
  if (verification_.points.empty()) {
    const std::string cause = failure_cause(log);
    found_.failure = "the witness launch told nothing" + (cause.empty() ? "" : ": " + cause);
    return;
  }
  while (known() < verification_.points.size()) judge(verification_.points[known()], log);
}

std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments) {
  std::vector<AlgorithmUse> uses;
  for (const PlannedPoint& planned : record.points) {
    const RequestedAlgorithm requested =
        requested_algorithm(planned.point.operation, {}, launcher_arguments);
    if (requested.is_default() || use_of(planned.point, uses) != nullptr) continue;
    uses.push_back({.operation = planned.point.operation,
                    .bytes = planned.point.bytes,
                    .ranks = planned.point.ranks,
                    .requested = requested.algorithm,
                    .evidence = "the simulator runs the algorithm of this name unless it falls "
                                "back to another, and does not tell",
                    .parameters = choosing_parameters(planned.point)});
  }
  return uses;
}

}  // namespace hockney::campaign
