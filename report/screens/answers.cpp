#include "report/screens/answers.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/faults.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"
#include "placement/network/described_network.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_tables.hpp"
#include "report/library_tables.hpp"
#include "report/screens/curves.hpp"
#include "report/screens/evaluation.hpp"
#include "report/screens/machine_words.hpp"
#include "report/screens/settings.hpp"
#include "report/screens/verdict_words.hpp"
#include "report/table.hpp"
#include "verdicts/variability.hpp"

namespace hockney::report {
namespace {

/// Sentences of these screens.
namespace words {

constexpr std::string_view presets = "presets by Intel's reference: {}";

constexpr std::string_view no_interval = "no interval: {}, {} needed";
constexpr std::string_view intervals = "{}: intervals within {} at {} of {}";
constexpr std::string_view blocks_disturbed = "; {} of the blocks disturbed by others (left out)";
constexpr std::string_view two_modes = "two modes: {}";
constexpr std::string_view two_modes_at = "two modes: {} ({} at {}{}; at {} of {}{})";
constexpr std::string_view not_measured = "{} not measured: {}";
constexpr std::string_view library_reported = "the MPI library reported in {} of {}: {}";
constexpr std::string_view uneven_cpus =
    "some ranks may use {}, others {}, which alone makes pairs differ: bind them, or give all as "
    "many";

constexpr std::string_view settings_ignored = "the MPI library ignored {}";
constexpr std::string_view settings_proven = "every setting is proven to be effective";
constexpr std::string_view settings_not_proven = "not proven to be effective: {}{}";
constexpr std::string_view no_setting_proven = "no setting could be proven to be effective: {}{}";
constexpr std::string_view algorithms_but = "algorithms ran as requested but {}";
constexpr std::string_view algorithms_unknown = "which algorithm ran is unknown for {}";
constexpr std::string_view algorithms_proven = "every algorithm ran as requested (proven)";

constexpr std::string_view network_guessed = "guessed from the latencies in {}";
constexpr std::string_view network_is_guess =
    "a guess: of {} that were measured, {} have the latency that most of their class have ({} of "
    "latencies); nothing states that it is so";
constexpr std::string_view no_network = "no source here has the places of hosts in the network";

}  // namespace words

bool has_several_settings(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status == LaunchStatus::complete && record.campaign) {
      settings.insert(record.campaign->setting);
    }
  }
  return settings.size() > 1;
}

std::size_t comparisons_in(std::span<const SettingsMatrix> matrices) {
  std::size_t count = 0;
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow& row : matrix.rows) count += Verdicts(row).all();
  }
  return count;
}

/// Purposes of records, in the order in which screens are chosen.
enum class Purpose { guidelines, figures, kernels, protocol };

Purpose purpose_of(const Record& record) {
  if (!record.guidelines.empty()) return Purpose::guidelines;
  if (!record.protocols.empty()) return Purpose::protocol;
  const bool is_of_kernels = std::ranges::any_of(
      record.points, [](const PlannedPoint& planned) { return is_of_kernel(planned.point); });
  return is_of_kernels ? Purpose::kernels : Purpose::figures;
}

/// The names of Intel MPI's presets in the tables; empty for other libraries.
Lines preset_lines(std::span<const Record> records, std::span<const SettingsMatrix> matrices) {
  std::set<std::string> shown;
  for (const SettingsMatrix& matrix : matrices) {
    for (const SettingRow* row : shown_rows(matrix)) shown.insert(row->name);
  }
  std::map<std::int64_t, std::string> names;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      const auto number = as_number<std::int64_t>(setting.requested);
      if (!number || !shown.contains(setting.requested)) continue;
      const std::string_view name = intel_preset_name(setting.variable, *number);
      if (!name.empty()) names[*number] = name;
    }
  }
  std::vector<std::string> parts;
  for (const auto& [number, name] : names) parts.push_back(fmt::format("{} = {}", number, name));
  return parts.empty() ? Lines{} : Lines{fmt::format(words::presets, join(parts, "; "))};
}

/// Leaves the screen unchanged if no guideline can be judged.
void add_guidelines(Screen& screen, const verdicts::GuidelineSet& set) {
  if (set.verdicts.empty()) return;
  const std::vector<verdicts::Violation> violations = find_violations(set, {});
  const GuidelineReport report{.set = set, .violations = violations, .known = {}};
  screen.answer = guidelines_answer(report);
  screen.verdict = guidelines_verdict(report);
}

/// A screen without its summary.
Screen frame_of(Evaluation& evaluation) {
  return {.faults = fault_lines(evaluation.faults()),
          .header = header_of(evaluation.records()),
          .answer = {},
          .verdict = {},
          .reliability = reliability_of(evaluation.records(), evaluation.told_rows()),
          .next = {}};
}

/// The screen of records with one purpose.
Screen screen_of_some(Evaluation& evaluation, const ScreenStyle& style) {
  const std::span<const Record> records = evaluation.records();
  Screen screen = frame_of(evaluation);
  add_guidelines(screen, evaluation.guidelines());
  if (screen.answer.empty()) screen.answer = protocol_answer(records);
  if (screen.answer.empty() && has_several_settings(records)) {
    const std::vector<SettingsMatrix>& matrices = evaluation.matrices();
    screen.answer = settings_answer(matrices);
    std::ranges::move(preset_lines(records, matrices), std::back_inserter(screen.answer));
    if (const std::size_t family = comparisons_in(matrices); family > 0) {
      screen.reliability.push_back("verdicts: " + family_text(family, {}));
    }
  }
  if (screen.answer.empty()) {
    screen.answer = kernel_answer(kernel_points(evaluation.rows(), records, evaluation.level()));
  }
  if (screen.answer.empty()) {
    screen.answer = curves_answer(evaluation, style);
    screen.verdict = curves_verdict(evaluation);
  }
  return screen;
}

}  // namespace

Screen screen_of(Evaluation& evaluation, const ScreenStyle& style) {
  const std::span<const Record> records = evaluation.records();
  std::set<Purpose> purposes;
  for (const Record& record : records) purposes.insert(purpose_of(record));
  if (purposes.size() < 2) return screen_of_some(evaluation, style);
  Screen screen = frame_of(evaluation);
  Lines first_lines;
  for (const Purpose purpose : purposes) {
    std::vector<Record> part;
    std::ranges::copy_if(records, std::back_inserter(part),
                         [&](const Record& record) { return purpose_of(record) == purpose; });
    Evaluation of_part(part, evaluation.level());
    const Screen one = screen_of_some(of_part, style);
    if (!screen.answer.empty()) screen.answer.emplace_back();
    std::ranges::copy(one.answer, std::back_inserter(screen.answer));
    first_lines.push_back(one.verdict.empty() ? one.answer.front() : one.verdict);
  }
  screen.verdict = join(first_lines, "; ");
  return screen;
}

namespace {

constexpr double close_interval = 0.05;  // half its width over the median
constexpr double good_part = 0.9;        // least share of close intervals
constexpr double fair_part = 0.5;

bool is_close(const Interval& interval, double median) {
  return (interval.high - interval.low) / 2 <= close_interval * median;
}

std::string noise_words(std::span<const Row> rows) {
  int blocks = 0;
  int undisturbed = 0;
  for (const Row& row : rows) {
    blocks += row.blocks - row.warm_up_blocks;
    undisturbed += row.undisturbed_blocks;
  }
  if (blocks <= undisturbed) return {};
  const double part = static_cast<double>(blocks - undisturbed) / blocks;
  return fmt::format(words::blocks_disturbed, format_fraction(part));
}

/// Environment variables that the settings of a campaign vary. Launchers set other variables, which
/// are no settings.
std::set<std::string> varied_variables(std::span<const Record> records) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> launches;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      values[setting.variable].insert(setting.requested);
      ++launches[setting.variable];
    }
  }
  std::set<std::string> varied;
  for (const auto& [variable, texts] : values) {
    if (texts.size() > 1 || launches[variable] < records.size()) varied.insert(variable);
  }
  return varied;
}

/// Results of the requested settings.
struct AskedNames {
  Names ignored;
  Names unproven;
  std::string reason;  ///< of an unproven one
  bool any_proven = false;

  /// Counts varied settings, and every ignored one.
  void add(const RequestedSetting& setting, bool is_varied) {
    const std::string text = fmt::format("{}={}", setting.variable, setting.requested);
    if (setting.proof == Proof::ignored) ignored.add(text);
    if (!is_varied) return;
    any_proven = any_proven || setting.proof == Proof::proven;
    if (setting.proof != Proof::unproven) return;
    unproven.add(text);
    reason = setting.reason;
  }
};

/// Whether the MPI library applied the requested settings.
Lines settings_words(std::span<const Record> records) {
  const std::set<std::string> varied = varied_variables(records);
  AskedNames names;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      names.add(setting, varied.contains(setting.variable));
    }
  }
  Lines lines;
  if (!names.ignored.empty()) {
    lines.push_back(fmt::format(words::settings_ignored, names.ignored.text()));
  } else if (names.any_proven && names.unproven.empty()) {
    lines.emplace_back(words::settings_proven);
  }
  if (names.unproven.empty()) return lines;
  const std::string unproven = names.unproven.text();
  const std::string reason = names.reason.empty() ? "" : fmt::format(" ({})", inert(names.reason));
  lines.push_back(names.any_proven ? fmt::format(words::settings_not_proven, unproven, reason)
                                   : fmt::format(words::no_setting_proven, unproven, reason));
  return lines;
}

/// Algorithms that differ from the requested ones, and unknown ones.
Lines algorithm_words(std::span<const Record> records) {
  Names others;
  Names unknown;
  bool any = false;
  for (const Record& record : records) {
    for (const AlgorithmUse& use : record.algorithms) {
      any = true;
      const std::string place = fmt::format("{} {}", use.operation, use.requested);
      if (use.proof == Proof::unproven) unknown.add(place);
      if (use.proof != Proof::ignored) continue;
      others.add(fmt::format("{} at {} ({} ran)", place, format_bytes(use.bytes),
                             use.ran.value_or("another")));
    }
  }
  Lines lines;
  if (!others.empty()) lines.push_back(fmt::format(words::algorithms_but, others.text(2)));
  if (!unknown.empty()) lines.push_back(fmt::format(words::algorithms_unknown, unknown.text()));
  if (any && lines.empty()) lines.emplace_back(words::algorithms_proven);
  return lines;
}

/// Warns if ranks may use different numbers of CPUs, since this alone makes pairs differ.
Lines binding_words(std::span<const Record> records) {
  std::set<std::size_t> counts;
  bool is_uneven = false;
  for (const Record& record : records) {
    std::set<std::size_t> own;
    for (const RankPlace& rank : record.ranks) own.insert(rank.actual_cpus.size());
    own.erase(0);  // simulated ranks
    if (own.size() < 2) continue;
    is_uneven = true;
    counts.merge(own);
  }
  if (!is_uneven) return {};
  return {fmt::format(words::uneven_cpus, count_text(*counts.begin(), "CPU"), *counts.rbegin())};
}

/// Faults that the MPI library reported in launches that ended successfully.
Lines library_words(std::span<const Record> records) {
  Names messages;
  std::size_t launches = 0;
  for (const Record& record : records) {
    const std::vector<std::string>& reported = record.provenance.mpi.messages;
    for (const std::string& message : reported) messages.add(message);
    launches += reported.empty() ? 0U : 1U;
  }
  if (messages.empty()) return {};
  return {fmt::format(words::library_reported, launches, count_text(records.size(), "launch"),
                      messages.text(2))};
}

}  // namespace

Lines oversubscription_words(std::span<const Record> records) {
  std::string text = oversubscription_text(records);
  return text.empty() ? Lines{} : Lines{std::move(text)};
}

std::string interval_words(std::span<const Row> rows) {
  std::size_t measured = 0;
  std::size_t with_interval = 0;
  std::size_t close = 0;
  std::size_t most_launches = 0;
  for (const Row& row : rows) {
    if (!row.median_seconds) continue;
    ++measured;
    most_launches = std::max(most_launches, row.launches.size());
    if (!row.interval_seconds) continue;
    ++with_interval;
    if (is_close(*row.interval_seconds, *row.median_seconds)) ++close;
  }
  if (measured == 0) return "nothing was measured";
  if (with_interval == 0) {
    return fmt::format(words::no_interval, count_text(most_launches, "launch"),
                       samples_for_interval());
  }
  const double part = static_cast<double>(close) / static_cast<double>(measured);
  const std::string word = part >= good_part ? "good" : part >= fair_part ? "fair" : "poor";
  return fmt::format(words::intervals, word, format_fraction(close_interval), close,
                     count_text(measured, "point"));
}

namespace {

/// A row whose launches form two modes.
struct ModedRow {
  const Row* row = nullptr;
  verdicts::LaunchModes modes;

  [[nodiscard]] double ratio() const { return modes.high_seconds / modes.low_seconds; }
  [[nodiscard]] std::set<std::size_t> high() const {
    std::set<std::size_t> launches;
    for (std::size_t i = 0; i < row->launches.size(); ++i) {
      if (modes.is_high[i]) launches.insert(row->launches[i].launch);
    }
    return launches;
  }
};

std::vector<ModedRow> moded_rows(std::span<const Row> rows) {
  std::vector<std::vector<double>> points;
  for (const Row& row : rows) points.push_back(seconds_of(row.launches));
  const auto found = verdicts::find_modes(points);
  std::vector<ModedRow> moded;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (found[i]) moded.push_back({.row = &rows[i], .modes = *found[i]});
  }
  return moded;
}

bool has_other_setting(std::span<const Row> rows, const Row& one) {
  return std::ranges::any_of(rows, [&](const Row& row) { return row.setting != one.setting; });
}

/// "0.100 us in 3 launches, 0.350 us in 7".
std::string text_of(const verdicts::LaunchModes& modes) {
  return fmt::format("{} in {}, {} in {}", short_time(modes.low_seconds),
                     count_text(modes.low_launches(), "launch"), short_time(modes.high_seconds),
                     modes.high_launches());
}

}  // namespace

std::string nothing_words(std::span<const Row> rows) {
  std::map<std::string, std::size_t> reasons;
  for (const Row& row : rows) {
    if (!row.reason.empty()) ++reasons[row.reason];
  }
  if (reasons.empty()) return "nothing was measured";
  const auto& [reason, points] =
      *std::ranges::max_element(reasons, {}, [](const auto& one) { return one.second; });
  return fmt::format("nothing was measured: {} ({})", inert(reason), count_text(points, "point"));
}

Lines mode_words(std::span<const Row> rows) {
  const std::vector<ModedRow> moded = moded_rows(rows);
  if (moded.empty()) return {};
  const ModedRow& widest = *std::ranges::max_element(moded, {}, &ModedRow::ratio);
  const std::string modes = text_of(widest.modes);
  if (rows.size() == 1) return {fmt::format(words::two_modes, modes)};
  const bool is_told = has_other_setting(rows, *widest.row);
  const auto has_same = [&](const ModedRow& one) { return one.high() == widest.high(); };
  const bool are_same = moded.size() > 1 && std::ranges::all_of(moded, has_same);
  return {fmt::format(words::two_modes_at, modes, inert(widest.row->point.operation),
                      format_bytes(widest.row->point.bytes),
                      is_told ? ", setting " + inert(widest.row->setting) : "", moded.size(),
                      count_text(rows.size(), "point"), are_same ? ", in the same launches" : "")};
}

Lines reliability_of(std::span<const Record> records, std::span<const Row> rows) {
  Lines lines = oversubscription_words(records);
  std::ranges::move(machine_words(records, rows), std::back_inserter(lines));
  std::ranges::move(mode_words(rows), std::back_inserter(lines));
  lines.push_back(interval_words(rows) + noise_words(rows));
  const auto is_missing = [](const Row& row) {
    return !row.median_seconds && !is_fault(row.reason);  // a screen begins with faults
  };
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(rows, is_missing));
  if (missing > 0 && missing < rows.size()) {
    lines.push_back(fmt::format(words::not_measured, count_text(missing, "point"),
                                inert(std::ranges::find_if(rows, is_missing)->reason)));
  }
  std::ranges::move(library_words(records), std::back_inserter(lines));
  std::ranges::move(binding_words(records), std::back_inserter(lines));
  std::ranges::move(settings_words(records), std::back_inserter(lines));
  std::ranges::move(algorithm_words(records), std::back_inserter(lines));
  return lines;
}

namespace {

using placement::FoundNetwork;
using placement::UnusedSource;

/// "16 hosts at 4 switches in 2 groups".
std::string places_text(const SiteFile& sites) {
  std::string text = count_text(sites.hosts.size(), "host");
  const std::vector<std::size_t> counts = placement::sites_of_levels(sites);
  for (std::size_t level = 0; level < counts.size(); ++level) {
    const std::string& name = sites.levels[level];
    const char* const plural = name.ends_with("ch") || name.ends_with("s") ? "es" : "s";
    text += fmt::format(" {} {} {}{}", level == 0 ? "at" : "in", counts[level], name,
                        counts[level] == 1 || name == "chassis" ? "" : plural);
  }
  return inert(text);
}

std::string origin_text(const SiteOrigin& origin) {
  const std::string detail = inert(origin.detail);
  return origin.inferred ? fmt::format(words::network_guessed, detail)
                         : fmt::format("from {} ({})", detail, inert(origin.source));
}

Lines classes_in(const SiteFile& sites) {
  std::vector<std::vector<std::string>> rows{{"hop", "pairs of hosts", "for example"}};
  for (const placement::ClassPairs& one : placement::class_pairs(sites)) {
    rows.push_back({inert(one.hop), std::to_string(one.pairs),
                    fmt::format("{} and {}", inert(one.first), inert(one.second))});
  }
  return columns_of(rows);
}

/// "pairs: same-switch 2, other-switch 4".
std::string pairs_text(const SiteFile& sites) {
  const auto pairs = strings_of(placement::class_pairs(sites), [](const auto& one) {
    return fmt::format("{} {}", inert(one.hop), one.pairs);
  });
  return pairs.empty() ? "no pairs" : "pairs: " + join(pairs);
}

/// Reliability of a guessed network.
std::string guess_text(const placement::InferredSites& guess) {
  return fmt::format(words::network_is_guess, count_text(guess.measured, "pair"),
                     format_fraction(guess.agreement), count_text(guess.kinds, "kind"));
}

Lines unused_lines(const std::vector<UnusedSource>& unused) {
  Lines lines;
  for (const UnusedSource& one : unused) {
    lines.push_back(fmt::format("not used: {} ({})", word(one.source), inert(one.why)));
  }
  return lines;
}

Screen screen_of_found(const NetworkView& view) {
  const FoundNetwork& found = *view.found;
  Screen screen;
  const std::string places = places_text(found.sites);
  screen.verdict = fmt::format("{}, {}", places, pairs_text(found.sites));
  screen.answer = {fmt::format("{}, {}", places, origin_text(found.sites.origin.value()))};
  for (std::string& line : classes_in(found.sites)) screen.answer.push_back(std::move(line));
  if (found.guess) screen.reliability.push_back(guess_text(*found.guess));
  for (const std::string& note : found.notes) screen.reliability.push_back(inert(note));
  for (std::string& line : unused_lines(view.unused)) screen.reliability.push_back(std::move(line));
  const std::string source = view.asked.empty() ? "" : " " + inert(view.asked);
  screen.next = {
      {fmt::format("hockney topo --network{} -o sites.json", source), "keep it as a site file"},
      {"hockney run CONFIG --sites sites.json", "measure every class of it"}};
  return screen;
}

nlohmann::json json_of(const UnusedSource& one) {
  return {{"source", word(one.source)}, {"why", one.why}};
}

nlohmann::json json_of(const placement::ClassPairs& one) {
  return {{"hop", one.hop}, {"pairs", one.pairs}, {"example", {one.first, one.second}}};
}

}  // namespace

Screen screen_of(const NetworkView& view) {
  if (view.found) return screen_of_found(view);
  return {.header = {},
          .answer = {std::string(words::no_network)},
          .verdict = {},
          .reliability = unused_lines(view.unused),
          .next = {{"hockney topo --network FILE",
                    "from a file of one of these, see docs/how-to/place-ranks.md"},
                   {"hockney topo --network RECORDS", "a guess from measured latencies"}}};
}

View hosts_of(const NetworkView& view) {
  View hosts{.headings = {{"host", "host"}}, .rows = {}};
  if (!view.found) return hosts;
  const SiteFile& sites = view.found->sites;
  for (const std::string& level : sites.levels) hosts.headings.push_back({level, level});
  for (const std::string& host : sites.hosts) {
    std::vector<Value>& row = hosts.rows.emplace_back(1, Value(host));
    for (const std::string& site : sites.sites.at(host)) row.emplace_back(site);
  }
  return hosts;
}

void print_network_table(std::ostream& out, const NetworkView& view) {
  if (!view.found) return print_screen(out, screen_of(view), ScreenSize::whole);
  print_view(out, "", hosts_of(view));
  const Lines notes = wrapped_sentences(
      strings_of(view.found->notes, [](const std::string& note) { return inert(note); }),
      screen_columns);
  for (const std::string& note : notes) out << note << '\n';
}

nlohmann::json to_json(const NetworkView& view) {
  nlohmann::json document{
      {"schema", "hockney.network/1"},      {"sites", nullptr},
      {"classes", nlohmann::json::array()}, {"guess", nullptr},
      {"notes", nlohmann::json::array()},   {"unused", nlohmann::json::array()}};
  for (const UnusedSource& one : view.unused) document["unused"].push_back(json_of(one));
  if (!view.found) return document;
  document["sites"] = to_json(view.found->sites);
  document["notes"] = view.found->notes;
  for (const auto& one : placement::class_pairs(view.found->sites)) {
    document["classes"].push_back(json_of(one));
  }
  if (const auto& guess = view.found->guess) {
    document["guess"] = {
        {"pairs", guess->measured}, {"kinds", guess->kinds}, {"agreement", guess->agreement}};
  }
  return document;
}

}  // namespace hockney::report
