#include "apps/tune/tune_proof.hpp"

#include "apps/tune/traffic_probe.hpp"
#include "core/atomic_file.hpp"

namespace hockney {
namespace {

bool is_tuned(const Attempt& attempt) {
  return attempt.setting == tuned_side && attempt.status == AttemptStatus::complete;
}

/// With MPIR_CVAR_DEBUG_SUMMARY MPICH prints the tree it has read.
void add_summary(const VerifyingPlan& plan, const Manifest& manifest, Effect& effect) {
  std::size_t launches = 0;
  std::size_t named = 0;
  for (const Attempt& attempt : manifest.attempts) {
    if (!is_tuned(attempt)) continue;
    ++launches;
    const bool is_named = read_file(attempt.log).find(plan.file) != std::string::npos;
    named += is_named ? 1 : 0;
  }
  effect.evidence.push_back("MPICH's summary names the file in " + std::to_string(named) + " of " +
                            std::to_string(launches) + " launches");
  effect.proof = launches > 0 && named == launches ? Proof::proven : Proof::ignored;
}

/// The variables say that the file was asked for; its traffic, that it was understood.
void add_probe(const VerifyingPlan& plan, const CampaignRequest& request, Effect& effect) {
  const Effect probe = probe_traffic(plan, request);
  effect.evidence.insert(effect.evidence.end(), probe.evidence.begin(), probe.evidence.end());
  if (effect.proof == Proof::proven) effect.proof = probe.proof;
}

}  // namespace

Effect proof_of_effect(const VerifyingPlan& plan, const CampaignRequest& request,
                       const Manifest& manifest, const std::vector<Record>& tuned) {
  Effect effect = effect_of(tuned, plan.activation);
  switch (plan.target) {
    case Target::smpi:
      effect.proof = Proof::proven;
      effect.evidence.emplace_back(
          "each part was launched with the option of its line, which SimGrid refuses if unknown");
      break;
    case Target::mpich_json:
      add_summary(plan, manifest, effect);
      break;
    case Target::openmpi:
      add_probe(plan, request, effect);
      break;
    case Target::openmpi6:
      // The variables say that the file was asked for, and not that it was understood.
      if (effect.proof == Proof::proven) effect.proof = Proof::unproven;
      effect.evidence.emplace_back("nothing tells whether Open MPI understood the file");
      break;
    case Target::intel:
      effect.evidence.emplace_back("Intel MPI complained of nothing");
      break;
    case Target::mpich:
      break;
  }
  return effect;
}

}  // namespace hockney
