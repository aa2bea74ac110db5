#include "driver/screens/answers.hpp"

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

#include "core/collectives.hpp"
#include "core/faults.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record.hpp"
#include "core/text.hpp"
#include "driver/screens/curves.hpp"
#include "driver/screens/nodes.hpp"
#include "driver/screens/reliability.hpp"
#include "driver/screens/results.hpp"
#include "driver/screens/settings.hpp"
#include "driver/screens/verdict_words.hpp"
#include "placement/network/described_network.hpp"
#include "report/curve_tables.hpp"
#include "report/kernel_tables.hpp"
#include "report/library_tables.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of these screens.
namespace words {

constexpr std::string_view presets = "presets by Intel's reference: {}";

constexpr std::string_view measured_apart =
    "measured apart, so drift of the machine is part of the difference; settings of one campaign "
    "take turns";

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
  screen.rows = guideline_rows(report);
  screen.verdict = guidelines_verdict(report);
}

/// A screen without its answer: faults, head, findings and reliability.
Screen frame_of(Results& results) {
  const std::span<const Record> records = results.records();
  Screen screen{.faults = fault_lines(results.faults()), .header = header_of(records)};
  add_reliability(screen, records, results.shown_rows(), results.aims().precision);
  return screen;
}

/// The screen of compared folders.
Screen screen_of_folders(Results& results) {
  Screen screen = frame_of(results.by_folder());
  for (const verdicts::CompareSet& set : results.comparisons()) {
    std::ranges::move(settings_answer(settings_matrices(set)), std::back_inserter(screen.answer));
  }
  screen.findings.push_back({.what = std::string(words::measured_apart)});
  const DisturbedWords disturbed =
      disturbed_words(results.by_folder().records(), results.by_folder().shown_rows());
  for (const verdicts::CompareSet& set : results.comparisons()) add_means(screen, set, disturbed);
  return screen;
}

Screen screen_of_nodes(Results& results) {
  Screen screen = frame_of(results);
  Screen nodes = nodes_screen(results.records());
  screen.answer = std::move(nodes.answer);
  screen.rows = std::move(nodes.rows);
  screen.verdict = std::move(nodes.verdict);
  return screen;
}

/// The screen of records with one purpose.
Screen screen_of_some(Results& results, const ScreenStyle& style) {
  const std::span<const Record> records = results.records();
  Screen screen = frame_of(results);
  add_guidelines(screen, results.guidelines());
  if (screen.answer.empty()) screen.answer = protocol_answer(records);
  if (screen.answer.empty() && has_several_settings(records)) {
    const std::vector<SettingsMatrix>& matrices = results.matrices();
    screen.answer = settings_answer(matrices);
    screen.rows = settings_rows(matrices);
    std::ranges::move(preset_lines(records, matrices), std::back_inserter(screen.answer));
    if (const std::size_t family = comparisons_in(matrices); family > 0) {
      screen.reliability.push_back("verdicts: " + family_text(family, {}));
    }
  }
  if (screen.answer.empty()) {
    screen.answer = kernel_answer(kernel_points(results.rows(), records, results.aims().level));
  }
  if (screen.answer.empty()) add_curves(screen, results, style);
  if (const Lines memory = memory_answer(records); !memory.empty()) {
    screen.answer.emplace_back();
    std::ranges::copy(memory, std::back_inserter(screen.answer));
  }
  return screen;
}

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
  return escaped(text);
}

std::string origin_text(const SiteOrigin& origin) {
  const std::string detail = escaped(origin.detail);
  return origin.inferred ? fmt::format(words::network_guessed, detail)
                         : fmt::format("from {} ({})", detail, escaped(origin.source));
}

Lines classes_in(const SiteFile& sites) {
  std::vector<std::vector<std::string>> rows{{"hop", "pairs of hosts", "for example"}};
  for (const placement::ClassPairs& one : placement::class_pairs(sites)) {
    rows.push_back({escaped(one.hop), std::to_string(one.pairs),
                    fmt::format("{} and {}", escaped(one.first), escaped(one.second))});
  }
  return columns_of(rows);
}

/// "pairs: same-switch 2, other-switch 4".
std::string pairs_text(const SiteFile& sites) {
  const auto pairs = strings_of(placement::class_pairs(sites), [](const auto& one) {
    return fmt::format("{} {}", escaped(one.hop), one.pairs);
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
    lines.push_back(fmt::format("not used: {} ({})", word(one.source), escaped(one.why)));
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
  for (const std::string& note : found.notes) screen.reliability.push_back(escaped(note));
  for (std::string& line : unused_lines(view.unused)) screen.reliability.push_back(std::move(line));
  const std::string source = view.requested.empty() ? "" : " " + escaped(view.requested);
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

Screen screen_of(Results& results, const ScreenStyle& style) {
  const std::span<const Record> records = results.records();
  if (!results.comparisons().empty()) return screen_of_folders(results);
  if (are_of_several_nodes(records)) return screen_of_nodes(results);
  std::set<Purpose> purposes;
  for (const Record& record : records) purposes.insert(purpose_of(record));
  if (purposes.size() < 2) return screen_of_some(results, style);
  Screen screen = frame_of(results);
  Lines first_lines;
  for (const Purpose purpose : purposes) {
    std::vector<Record> part;
    std::ranges::copy_if(records, std::back_inserter(part),
                         [&](const Record& record) { return purpose_of(record) == purpose; });
    Results of_part(std::move(part), "", results.aims());
    const Screen one = screen_of_some(of_part, style);
    if (!screen.answer.empty()) screen.answer.emplace_back();
    std::ranges::copy(one.answer, std::back_inserter(screen.answer));
    first_lines.push_back(one.verdict.empty() ? one.answer.front() : one.verdict);
  }
  screen.verdict = join(first_lines, "; ");
  return screen;
}

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
      strings_of(view.found->notes, [](const std::string& note) { return escaped(note); }),
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
