#include "campaign/witness_telling.hpp"

#include "fingerprints/refusal.hpp"
#include "fingerprints/verdict.hpp"

namespace hockney {

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

}  // namespace hockney
