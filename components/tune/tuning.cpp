#include "components/tune/tuning.hpp"

#include <fmt/format.h>
#include <string_view>

#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::tune {
namespace {

/// Sentences of files and notes.
namespace words {

constexpr std::string_view library_decides = "{}, so the library decides";

constexpr std::string_view written_by = "selection rules written by hockney tune --for {}";
constexpr std::string_view measured_by = "measured by {} under {}; default setting: {}";
constexpr std::string_view gains =
    "another choice than the default's gains more than {} and is shown to be faster, {}";
constexpr std::string_view changes =
    "fewer rules regret at most {}; between measured sizes they change where times cross, but the "
    "default has what lies between it and a choice that is slower at its end; between ranks at the "
    "geometric middle";
constexpr std::string_view left_to_library =
    "smaller and larger sizes and numbers of ranks are left to the library";
constexpr std::string_view extended =
    "the outermost choices hold for all smaller and larger sizes and numbers of ranks";
constexpr std::string_view was_slower =
    "the default has the sizes at which an earlier file was slower: {}";
constexpr std::string_view decision = "{}, {} ranks, {}: {}, {} of the default's time{}{}";
constexpr std::string_view no_test = "no test: times of a simulator without noise";
constexpr std::string_view family = "{} for {} tests, alpha {}";

}  // namespace words

std::string number_text(double value) { return fmt::format("{:.4g}", value); }

std::string percent(double share) {
  constexpr double hundred = 100;
  return number_text(hundred * share) + " %";
}

std::string decision_text(const Decision& decision) {
  const auto& interval = decision.ratio_interval;
  const std::string beside =
      interval ? fmt::format(" ({} .. {})", number_text(interval->low), number_text(interval->high))
               : "";
  return fmt::format(words::decision, decision.operation, decision.ranks,
                     format_bytes(decision.bytes), describe(decision.choice),
                     number_text(decision.ratio), beside,
                     decision.source == Basis::predicted ? ", predicted" : "");
}

}  // namespace

void keep_expressible(Target target, Evidence& evidence) {
  for (TunedPoint& point : evidence.points) {
    const auto is_inexpressible = [&](const Candidate& candidate) {
      const std::string why = why_inexpressible(target, point.operation, candidate.choice);
      if (!why.empty()) note({candidate.setting, point.operation, why, 1}, evidence.left_out);
      return !why.empty();
    };
    std::erase_if(point.candidates, is_inexpressible);
    const std::string why = why_inexpressible(target, point.operation, point.base);
    if (why.empty()) continue;
    note({evidence.base, point.operation, fmt::format(words::library_decides, why), 1},
         evidence.left_out);
    point.base = {};
  }
}

std::string library_title(const std::string& library) {
  const std::string title = library.substr(0, library.find(','));
  return title.substr(0, title.find(". "));
}

std::string family_text(const Evidence& evidence) {
  const EvidenceOptions& options = evidence.options;
  if (options.replication == Replication::exact) return std::string(words::no_test);
  return fmt::format(words::family, describe(options.correction), evidence.family,
                     number_text(options.alpha));
}

std::vector<std::string> comments_of(const Tuning& tuning) {
  const Evidence& evidence = tuning.evidence;
  std::vector<std::string> comments{
      fmt::format(words::written_by, word(tuning.target)),
      fmt::format(words::measured_by, join(evidence.campaigns),
                  split(evidence.library, ',').front(), evidence.base),
      fmt::format(words::gains, percent(evidence.options.least_gain), family_text(evidence)),
      fmt::format(words::changes, percent(tuning.options.most_regret)),
      std::string(tuning.options.beyond == Beyond::library ? words::left_to_library
                                                           : words::extended),
      std::string(format_of(tuning.target).use)};
  if (!tuning.oversubscribed.empty()) {
    comments.push_back(tuning.oversubscribed + "; written with --force");
  }
  for (const std::string& file : tuning.verified) {
    comments.push_back(fmt::format(words::was_slower, file));
  }
  for (const Decision& decision : tuning.decisions.points) {
    if (!decision.choice.is_default()) comments.push_back(decision_text(decision));
  }
  for (std::string& comment : comments) comment = escaped(comment);
  return comments;
}

}  // namespace hockney::tune
