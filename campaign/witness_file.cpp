#include "campaign/witness_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "campaign/fingerprints/verdict.hpp"
#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/json_values.hpp"
#include "core/record_fields.hpp"

namespace hockney {

template <>
inline constexpr auto document_fields<SettingWitness> = object_of(
    DocumentSchema{"hockney.algorithms/1", "remove the file, and the witness is launched again"},
    key("library", &SettingWitness::library), key("failure", &SettingWitness::failure),
    key("launches", &SettingWitness::launches), key("algorithms", &SettingWitness::algorithms));

void save_witness(const std::string& setting, const SettingWitness& witness,
                  const std::string& file) {
  nlohmann::json document = witness;
  document["setting"] = setting;
  write_atomically(file, json_text(document) + "\n");
}

SettingWitness load_witness(const std::string& file) {
  return read_value<SettingWitness>(load_json(file));
}

void WitnessTelling::judge(const WitnessedPoint& point, const std::string& log) {
  const AskedWay way = asked_way(point.point.operation, witness_.asked, launcher_arguments_);
  told_.algorithms.push_back(judge_witness(witness_, point, way, log));
}

void WitnessTelling::add(const Witness& witness, const std::string& log) {
  witness_ = witness;
  told_.library = witness.library;
  ++told_.launches;
  const std::size_t known_before = known();
  while (known() < witness.points.size()) {
    const WitnessedPoint& point = witness.points[known()];
    if (point.stage == WitnessStage::done) {
      judge(point, log);
      continue;
    }
    // The launch ended in this call; or before it, which is held against the point only when
    // nothing before it can have been the reason.
    const bool to_blame = point.stage == WitnessStage::begun || known() == known_before;
    if (to_blame) judge(point, log);
    break;
  }
  is_complete_ = known() == witness.points.size();
}

void WitnessTelling::add_nothing(const std::string& log) {
  ++told_.launches;
  is_complete_ = true;
  if (witness_.points.empty()) {
    const std::string last = last_words(log);
    told_.failure = "the witness launch told nothing" + (last.empty() ? "" : ": " + last);
    return;
  }
  while (known() < witness_.points.size()) judge(witness_.points[known()], log);
}

std::vector<AlgorithmUse> simulated_uses(const Record& record,
                                         const std::vector<std::string>& launcher_arguments) {
  std::vector<AlgorithmUse> uses;
  for (const PlannedPoint& planned : record.points) {
    const AskedWay way = asked_way(planned.point.operation, {}, launcher_arguments);
    if (way.is_default() || use_of(planned.point, uses) != nullptr) continue;
    uses.push_back({.operation = planned.point.operation,
                    .bytes = planned.point.bytes,
                    .ranks = planned.point.ranks,
                    .asked = way.algorithm,
                    .evidence = "the simulator runs the algorithm of this name unless it falls "
                                "back to another, and does not tell",
                    .parameters = choosing_parameters(planned.point)});
  }
  return uses;
}

BudgetUse budget_use(const Manifest& manifest, Seconds spent, int launches_left) {
  BudgetUse use{.spent = spent, .complete = {}, .launches_left = launches_left};
  for (const Attempt& attempt : manifest.attempts) {
    // A complete launch with a remark was slow to end or had to be ended: not what one costs.
    const bool clean = attempt.status == AttemptStatus::complete && attempt.reason.empty();
    if (!clean || !attempt.measuring_seconds || !attempt.slot_seconds) continue;
    use.complete.push_back(
        {{attempt.duration_seconds}, {*attempt.measuring_seconds}, {*attempt.slot_seconds}});
  }
  return use;
}

std::optional<Seconds> expected_remaining(const Manifest& manifest, Seconds spent,
                                          int launches_left) {
  if (manifest.config.budget) return std::max(Seconds{}, *manifest.config.budget - spent);
  double total = 0;
  int ended = 0;
  for (const Attempt& attempt : manifest.attempts) {
    if (attempt.status == AttemptStatus::running) continue;
    total += attempt.duration_seconds;
    ++ended;
  }
  if (ended == 0) return std::nullopt;
  return Seconds{total / ended * launches_left};
}

}  // namespace hockney
