#include "driver/campaign/fingerprints/verdict.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <ranges>
#include <string_view>
#include <tuple>

#include "core/collectives.hpp"
#include "core/complaints.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

namespace hockney::campaign {

using schedules::Schedule;
using schedules::Workload;

namespace {

/// Sentences on what ran; most begin with the messages that were sent.
namespace words {

constexpr std::string_view sent_by = "{} messages, {} bytes by {}";
constexpr std::string_view same_here = ", the same here as {}";
constexpr std::string_view several_send = "{}, which several algorithms send: {}";
constexpr std::string_view one_sends = "{}, as {} sends{}";
constexpr std::string_view not_as_requested =
    "{}, not as requested; several algorithms send that: {}";
constexpr std::string_view none_sends = "{}, as no algorithm sends that hockney knows";
constexpr std::string_view unknown_messages = "{}, as {} would; what {} sends is not known";
constexpr std::string_view choice_not_shown = "the library does not show its choice";
constexpr std::string_view refuses_nothing = "{}, and refuses nothing";
constexpr std::string_view not_refused = "not refused under {}";
constexpr std::string_view returned_error = "the call returned an error";
constexpr std::string_view ended_in_call = "the launch ended in the call";
constexpr std::string_view ended_before_call = "the launch ended before the call";

}  // namespace words

constexpr std::size_t longest = 200;

/// Whether a line is the launcher's, which prints after the program's last line.
bool is_of_launcher(std::string_view line) {
  return line.find_first_not_of("=-*# \t\r") == std::string_view::npos || line.starts_with("=") ||
         line.starts_with("YOUR APPLICATION") || line.starts_with("This typically") ||
         line.starts_with("Please see the FAQ");
}

bool is_own_way(const std::string& value) {
  return value.empty() || value == "0" || value == "ignore" || value == "auto" || value == "-1";
}

/// Intel MPI's presets have numbers only; "preset 8" cannot be taken for another library's name.
std::string name_of(const AlgorithmRequest& requested) {
  if (requested.name == library_choice) return "algorithm-" + requested.value;
  if (requested.name) return *requested.name;
  const bool preset = requested.variable.starts_with("I_MPI_") && requested_number(requested.value);
  return preset ? "preset " + requested.value : requested.value;
}

void add(RequestedAlgorithm& requested, const CollectiveVariable& variable,
         const AlgorithmRequest& setting) {
  const auto number = requested_number(setting.value);
  switch (variable.role) {
    case CollectiveRole::algorithm:
      if (!is_own_way(setting.value) && !is_own_way(name_of(setting)))
        requested.algorithm = name_of(setting);
      break;
    case CollectiveRole::segment:
      if (number) requested.segment = Bytes{*number};
      break;
    case CollectiveRole::fanout:
      if (number && variable.companion_of == "chain") requested.chains = static_cast<int>(*number);
      if (number && variable.companion_of == "knomial") requested.radix = static_cast<int>(*number);
      break;
    case CollectiveRole::requests:
    case CollectiveRole::other:
    case CollectiveRole::unknown:
      break;
  }
}

/// "6 messages, 96 bytes by pml_monitoring (its own calls)"
std::string amount_of(const std::vector<SentTraffic>& traffic, const std::string& counting) {
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  for (const SentTraffic& sent : traffic) {
    messages += sent.messages;
    bytes += sent.bytes;
  }
  return fmt::format(words::sent_by, messages, bytes, counting);
}

std::vector<std::string> names_of(const std::vector<PossibleAlgorithm>& candidates) {
  std::vector<std::string> names;
  for (const PossibleAlgorithm& candidate : candidates) {
    if (std::ranges::find(names, candidate.algorithm) == names.end()) {
      names.push_back(candidate.algorithm);
    }
  }
  return names;
}

bool all_the_same(const std::vector<PossibleAlgorithm>& candidates) {
  return std::ranges::all_of(candidates, [&](const PossibleAlgorithm& candidate) {
    return same_schedule(candidate.schedule, candidates.front().schedule);
  });
}

/// Whether the matches are one algorithm, with any parameters, or have equal schedules here.
bool is_certain(const std::vector<PossibleAlgorithm>& matches) {
  return names_of(matches).size() == 1 || all_the_same(matches);
}

/// ", the same here as b, c" for the names but one.
std::string equals_of(std::vector<std::string> names, const std::string& but) {
  std::erase(names, but);
  return names.empty() ? "" : fmt::format(words::same_here, join(names));
}

AlgorithmUse concluded(AlgorithmUse use, Proof proof, std::optional<std::string> ran,
                       const std::string& evidence) {
  use.proof = proof;
  use.ran = std::move(ran);
  use.evidence = evidence;
  return use;
}

AlgorithmUse unproven(AlgorithmUse use, const std::string& evidence) {
  return concluded(std::move(use), Proof::unproven, std::nullopt, evidence);
}

/// The verdict for a setting that requests an algorithm with known messages.
AlgorithmUse judge_requested(AlgorithmUse use, const std::string& requested,
                             const std::vector<PossibleAlgorithm>& matches,
                             const std::string& sent) {
  const std::vector<std::string> names = names_of(matches);
  const bool fits = std::ranges::find(names, requested) != names.end();
  if (fits && is_certain(matches)) {
    return concluded(std::move(use), Proof::proven, requested, sent + equals_of(names, requested));
  }
  if (fits) {
    return unproven(std::move(use), fmt::format(words::several_send, sent, join(names)));
  }
  if (is_certain(matches)) {
    return concluded(
        std::move(use), Proof::ignored, names.front(),
        fmt::format(words::one_sends, sent, names.front(), equals_of(names, names.front())));
  }
  return concluded(std::move(use), Proof::ignored, std::nullopt,
                   fmt::format(words::not_as_requested, sent, join(names)));
}

bool has_known_messages(const std::string& operation, const std::string& algorithm) {
  return schedules::has_algorithm(operation, algorithm) || is_composition(operation, algorithm);
}

AlgorithmUse judge_messages(AlgorithmUse use, const VerificationRun& verification,
                            const VerificationPoint& point, const RequestedAlgorithm& requested) {
  const std::string sent = amount_of(point.traffic, verification.counting);
  const std::vector<PossibleAlgorithm> all = candidates(point, requested);
  const std::vector<PossibleAlgorithm> matches = matching(all, point.traffic);
  if (matches.empty()) {
    return unproven(std::move(use), fmt::format(words::none_sends, sent));
  }
  const std::string name =
      schedules::canonical_algorithm(scheduled_name(point.point), requested.algorithm);
  const std::vector<std::string> names = names_of(matches);
  if (requested.is_default() && is_certain(matches)) {
    return concluded(std::move(use), Proof::proven, names.front(),
                     sent + equals_of(names, names.front()));
  }
  if (requested.is_default()) {
    return unproven(std::move(use), fmt::format(words::several_send, sent, join(names)));
  }
  if (!has_known_messages(scheduled_name(point.point), name)) {
    return unproven(std::move(use), fmt::format(words::unknown_messages, sent, join(names, " or "),
                                                requested.algorithm));
  }
  return judge_requested(std::move(use), name, matches, sent);
}

AlgorithmUse judge_word(AlgorithmUse use, const VerificationRun& verification,
                        const VerificationPoint& point, const RequestedAlgorithm& requested) {
  if (requested.is_default()) return unproven(std::move(use), std::string(words::choice_not_shown));
  if (verification.check.empty()) {
    return unproven(std::move(use), fmt::format(words::refuses_nothing, verification.no_counts));
  }
  if (!verification.no_check.empty()) return unproven(std::move(use), verification.no_check);
  const std::string canonical =
      schedules::canonical_algorithm(scheduled_name(point.point), requested.algorithm);
  return concluded(std::move(use), Proof::proven, canonical,
                   fmt::format(words::not_refused, verification.check));
}

const std::array<Composition, 4>& compositions() {
  static const std::array<Composition, 4> all{
      {{"allreduce", "nonoverlapping", "reduce", Portion::all, "bcast", Portion::all},
       {"allgather", "linear", "gather", Portion::all, "bcast", Portion::of_ranks},
       {"reduce-scatter", "non-overlapping", "reduce", Portion::all, "scatter", Portion::of_one},
       {"reduce-scatter-block", "basic_linear", "reduce", Portion::of_ranks, "scatter",
        Portion::all}}};
  return all;
}

std::optional<Workload> portion_of(Workload work, Portion portion) {
  if (portion == Portion::of_ranks) work.bytes = {work.bytes.value * work.ranks};
  if (portion == Portion::of_one) {
    if (work.bytes.value % (work.ranks * work.element_bytes) != 0) return std::nullopt;
    work.bytes = {work.bytes.value / work.ranks};
  }
  return work;
}

/// Default segment sizes of libraries [B].
constexpr std::array<std::int64_t, 12> usual_segments{0,         1 << 10,   2 << 10,   4 << 10,
                                                      8 << 10,   16 << 10,  32 << 10,  64 << 10,
                                                      128 << 10, 256 << 10, 512 << 10, 1 << 20};

std::vector<Bytes> segments(const VerificationPoint& point, const RequestedAlgorithm& requested) {
  if (requested.segment) return {*requested.segment};
  if (!requested.is_default()) return {Bytes{0}};
  std::vector<Bytes> all;
  for (const std::int64_t segment : usual_segments) {
    if (segment < point.point.bytes.value) all.push_back({segment});
  }
  return all.empty() ? std::vector<Bytes>{Bytes{0}} : all;
}

/// The requested fan-out of an algorithm; 0 means the library's default.
int fanout_of(const std::string& algorithm, const RequestedAlgorithm& requested) {
  if (algorithm == "chain") return requested.chains.value_or(0);
  if (algorithm == "knomial") return requested.radix.value_or(0);
  return 0;
}

/// The messages of a step, sorted.
std::vector<std::tuple<schedules::Direction, int, std::int64_t>> messages(
    std::span<const schedules::Transfer> step) {
  std::vector<std::tuple<schedules::Direction, int, std::int64_t>> all;
  for (const schedules::Transfer& transfer : step) {
    all.emplace_back(transfer.direction, transfer.peer, transfer.bytes);
  }
  std::ranges::sort(all);
  return all;
}

bool same_rank(const schedules::RankSchedule& a, const schedules::RankSchedule& b) {
  if (a.steps() != b.steps()) return false;
  for (std::size_t step = 0; step < a.steps(); ++step) {
    if (messages(a.step(step)) != messages(b.step(step))) return false;
  }
  return true;
}

void add(std::vector<PossibleAlgorithm>& all, const std::string& algorithm,
         const Workload& workload, Schedule schedule) {
  const auto is_known = [&](const PossibleAlgorithm& known) {
    return known.algorithm == algorithm && same_schedule(known.schedule, schedule);
  };
  if (std::ranges::any_of(all, is_known)) return;
  all.push_back({algorithm, workload, std::move(schedule)});
}

std::vector<std::string> usable(const std::string& operation, const Workload& workload) {
  std::vector<std::string> names = schedules::algorithms_of(operation);
  std::erase_if(names, [&](const std::string& name) {
    return unfit(operation, name, workload) || !schedules::is_in_libraries(operation, name);
  });
  return names;
}

void add(std::vector<PossibleAlgorithm>& all, const std::string& operation,
         const std::string& algorithm, const Workload& workload) {
  if (unfit(operation, algorithm, workload) || !schedules::is_in_libraries(operation, algorithm))
    return;
  add(all, algorithm, workload, schedule_of(operation, algorithm, workload));
}

/// Adds every pair of algorithms, since the library chooses one for each of the two operations.
void add(std::vector<PossibleAlgorithm>& all, const Composition& composition,
         const Workload& work) {
  const auto parts = parts_of(composition, work);
  if (!parts) return;
  for (const std::string& first : usable(composition.first, parts->first)) {
    const Schedule before = schedule_of(composition.first, first, parts->first);
    for (const std::string& second : usable(composition.second, parts->second)) {
      add(all, composition.name, work,
          one_after_other(before, schedule_of(composition.second, second, parts->second)));
    }
  }
}

/// Compositions that may have run: the requested one, or all if the library chose.
std::vector<const Composition*> compositions_of(const std::string& operation,
                                                const RequestedAlgorithm& requested) {
  const std::string name = schedules::canonical_algorithm(operation, requested.algorithm);
  std::vector<const Composition*> found;
  for (const Composition& each : compositions()) {
    const bool may_have_run = requested.is_default() || name == each.name;
    if (each.operation == operation && may_have_run) found.push_back(&each);
  }
  return found;
}

}  // namespace

std::optional<std::string> refusal_in(std::string_view text, std::string_view operation) {
  const std::string intel = fmt::format("{}: algo #", upper_name(operation));
  for (const std::string& line : split(text, '\n')) {
    const bool by_intel = line.starts_with(intel) && line.find("has fallback") != std::string::npos;
    const bool by_mpich =
        line.find("User set collective algorithm is not usable") != std::string::npos;
    if (by_intel || by_mpich) return tidied(line, longest);
  }
  return std::nullopt;
}

std::string last_words(std::string_view text) {
  const std::vector<std::string> lines = split(text, '\n');
  // Intel MPI ends with an assertion; its cause is printed before.
  for (const std::string& line : lines) {
    if (line.find(" has fallback") != std::string::npos) return tidied(line, longest);
  }
  for (const std::string& line : std::views::reverse(lines)) {
    if (!is_of_launcher(line) && !tidied(line, longest).empty()) return tidied(line, longest);
  }
  return {};
}

RequestedAlgorithm requested_algorithm(const std::string& operation,
                                       const std::vector<AlgorithmRequest>& settings,
                                       const std::vector<std::string>& launcher_arguments) {
  RequestedAlgorithm requested;
  for (const AlgorithmRequest& each : settings) {
    const auto variable = collective_variable(each.variable);
    if (variable && variable->operation == operation) add(requested, *variable, each);
  }
  for (const std::string& argument : launcher_arguments) {
    const auto choice = simulated_choice(argument);
    if (choice && choice->operation == operation) requested.algorithm = choice->algorithm;
  }
  return requested;
}

AlgorithmUse judge_algorithm(const VerificationRun& verification, const VerificationPoint& point,
                             const RequestedAlgorithm& requested, const std::string& log) {
  AlgorithmUse use{.operation = point.point.operation,
                   .bytes = point.point.bytes,
                   .ranks = point.point.ranks,
                   .requested = requested.algorithm,
                   .parameters = choosing_parameters(point.point)};
  const bool done = point.stage == VerificationStage::done;
  if (done && point.error.empty()) {
    return verification.counting.empty()
               ? judge_word(std::move(use), verification, point, requested)
               : judge_messages(std::move(use), verification, point, requested);
  }
  const bool begun = point.stage != VerificationStage::not_begun;
  const std::string said = done ? point.error : log;
  if (const auto refusal = refusal_in(said, use.operation);
      refusal && begun && !requested.is_default()) {
    return concluded(std::move(use), Proof::ignored, std::nullopt, "refused: " + *refusal);
  }
  const std::string last = last_words(said);
  const std::string_view when = done    ? words::returned_error
                                : begun ? words::ended_in_call
                                        : words::ended_before_call;
  return unproven(std::move(use), fmt::format("{}{}{}", when, last.empty() ? "" : ": ", last));
}

bool is_composition(const std::string& operation, const std::string& algorithm) {
  return std::ranges::any_of(compositions(), [&](const Composition& each) {
    return each.operation == operation && each.name == algorithm;
  });
}

std::optional<std::pair<Workload, Workload>> parts_of(const Composition& composition,
                                                      const Workload& work) {
  const auto first = portion_of(work, composition.first_portion);
  const auto second = portion_of(work, composition.second_portion);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

Schedule one_after_other(Schedule first, const Schedule& second) {
  for (std::size_t rank = 0; rank < first.ranks.size(); ++rank) {
    const schedules::RankSchedule& more = second.ranks[rank];
    for (std::size_t step = 0; step < more.steps(); ++step) {
      for (const schedules::Transfer& transfer : more.step(step)) first.ranks[rank].start(transfer);
      first.ranks[rank].wait();
    }
  }
  return first;
}

bool same_schedule(const Schedule& a, const Schedule& b) {
  return std::ranges::equal(a.ranks, b.ranks, same_rank);
}

std::string scheduled_name(const Point& point) {
  const Collective* const collective = find_collective(point.operation);
  if (collective == nullptr) return {};
  const auto counts = point.parameters.find("counts");
  const bool is_regular =
      collective->regular.empty() || counts == point.parameters.end() || counts->second == "equal";
  const Collective* const scheduled = is_regular ? scheduled_form(*collective) : nullptr;
  return scheduled == nullptr ? "" : std::string(scheduled->name);
}

std::vector<PossibleAlgorithm> candidates(const VerificationPoint& point,
                                          const RequestedAlgorithm& requested) {
  std::vector<PossibleAlgorithm> all;
  const std::string operation = scheduled_name(point.point);
  if (operation.empty()) return all;
  for (const Composition* each : compositions_of(operation, requested)) {
    add(all, *each,
        {.ranks = point.point.ranks,
         .bytes = point.point.bytes,
         .element_bytes = point.element_bytes});
  }
  for (const std::string& algorithm : schedules::algorithms_of(operation)) {
    for (const Bytes segment : segments(point, requested)) {
      add(all, operation, algorithm,
          {.ranks = point.point.ranks,
           .bytes = point.point.bytes,
           .element_bytes = point.element_bytes,
           .segment = segment,
           .fanout = fanout_of(algorithm, requested),
           .root = point.root});
    }
  }
  return all;
}

std::vector<PossibleAlgorithm> matching(std::vector<PossibleAlgorithm> all,
                                        const std::vector<SentTraffic>& sent) {
  schedules::Traffic traffic;
  for (const SentTraffic& each : sent) {
    traffic[{each.from, each.to}] = {each.messages, each.bytes};
  }
  std::erase_if(all, [&](const PossibleAlgorithm& candidate) {
    return traffic_of(candidate.schedule) != traffic;
  });
  return all;
}

}  // namespace hockney::campaign
