#include "verdicts/guideline_baseline.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/names.hpp"
#include "core/record_fields.hpp"

namespace hockney {
namespace {

bool is_of(const KnownViolation& known, const GuidelineVerdict& verdict) {
  const GuidelineCell& cell = verdict.cell;
  return known.guideline == cell.guideline.name &&
         known.bytes.value_or(cell.left.bytes) == cell.left.bytes &&
         known.ranks.value_or(cell.left.ranks) == cell.left.ranks;
}

KnownViolation read_known(const JsonNode& node) {
  node.allow_only({"guideline", "bytes", "ranks", "note"});
  KnownViolation known{.guideline = node.at("guideline").text(),
                       .note = optional_text(node, "note").value_or("")};
  if (const auto bytes = optional_amount(node, "bytes")) known.bytes = Bytes{*bytes};
  if (const auto ranks = node.find("ranks")) known.ranks = small_integer(*ranks);
  return known;
}

}  // namespace

std::vector<KnownViolation> read_guideline_baseline(const JsonNode& document) {
  const JsonNode schema = document.at("schema");
  if (schema.text() != guideline_baseline_schema) {
    schema.reject("is '" + schema.text() + "'",
                  "this program reads '" + std::string(guideline_baseline_schema) + "'",
                  "name a file of known violations");
  }
  document.allow_only({"schema", "known"});
  return read_array(document.at("known"), read_known);
}

void check_known(const std::vector<KnownViolation>& known, const GuidelineSet& set,
                 const std::string& file) {
  std::set<std::string> judged;
  for (const GuidelineVerdict& verdict : set.verdicts) judged.insert(verdict.cell.guideline.name);
  for (const UnmeasuredCell& cell : set.unmeasured) judged.insert(cell.guideline);
  for (const KnownViolation& one : known) {
    if (judged.contains(one.guideline)) continue;
    throw InputError({file + ": unknown guideline '" + one.guideline + "'",
                      "none of the records states it",
                      suggest(one.guideline, {judged.begin(), judged.end()})});
  }
}

bool is_known(const std::vector<KnownViolation>& known, const GuidelineVerdict& verdict) {
  return std::ranges::any_of(known, [&](const KnownViolation& one) { return is_of(one, verdict); });
}

std::vector<KnownViolation> not_seen(const std::vector<KnownViolation>& known,
                                     const GuidelineSet& set) {
  std::vector<KnownViolation> gone;
  for (const KnownViolation& one : known) {
    const bool is_seen = std::ranges::any_of(set.verdicts, [&](const GuidelineVerdict& verdict) {
      return verdict.verdict == Compliance::violated && is_of(one, verdict);
    });
    if (!is_seen) gone.push_back(one);
  }
  return gone;
}

}  // namespace hockney
