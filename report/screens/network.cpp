#include "report/screens/network.hpp"

#include <nlohmann/json.hpp>

#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "placement/network/class_pairs.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using placement::FoundNetwork;
using placement::UnusedSource;

/// "16 hosts at 4 switches in 2 groups".
std::string places_text(const SiteFile& sites) {
  std::string text = count_text(sites.hosts.size(), "host");
  const std::vector<std::size_t> counts = placement::sites_of_levels(sites);
  for (std::size_t level = 0; level < counts.size(); ++level) {
    const std::string& name = sites.levels[level];
    const std::string plural = name.ends_with("ch") || name.ends_with("s") ? "es" : "s";
    text += (level == 0 ? " at " : " in ") + std::to_string(counts[level]) + " " + name +
            (counts[level] == 1  ? ""
             : name == "chassis" ? ""
                                 : plural);
  }
  return inert(text);
}

std::string origin_text(const SiteOrigin& origin) {
  if (origin.inferred) return "guessed from the latencies in " + inert(origin.detail);
  return "from " + inert(origin.detail) + " (" + inert(origin.source) + ")";
}

Lines classes_in(const SiteFile& sites) {
  std::vector<std::vector<std::string>> rows{{"hop", "pairs of hosts", "for example"}};
  for (const placement::ClassPairs& one : placement::class_pairs(sites)) {
    rows.push_back({inert(one.hop), std::to_string(one.pairs),
                    inert(one.first) + " and " + inert(one.second)});
  }
  return columns_of(rows);
}

/// "pairs: same-switch 2, other-switch 4".
std::string pairs_text(const SiteFile& sites) {
  const auto pairs = strings_of(placement::class_pairs(sites), [](const auto& one) {
    return inert(one.hop) + " " + std::to_string(one.pairs);
  });
  return pairs.empty() ? "no pairs" : "pairs: " + join(pairs);
}

/// How far a guess is to be trusted.
std::string guess_text(const placement::InferredSites& guess) {
  return "a guess: of " + count_text(guess.measured, "pair") + " that were measured, " +
         format_fraction(guess.agreement) + " have the latency that most of their class have (" +
         count_text(guess.kinds, "kind") + " of latencies); nothing states that it is so";
}

Lines unused_lines(const std::vector<UnusedSource>& unused) {
  Lines lines;
  for (const UnusedSource& one : unused) {
    lines.push_back("not used: " + std::string(word(one.source)) + " (" + inert(one.why) + ")");
  }
  return lines;
}

Screen screen_of_found(const NetworkView& view) {
  const FoundNetwork& found = *view.found;
  Screen screen;
  screen.verdict = places_text(found.sites) + ", " + pairs_text(found.sites);
  screen.answer = {places_text(found.sites) + ", " + origin_text(found.sites.origin.value())};
  for (std::string& line : classes_in(found.sites)) screen.answer.push_back(std::move(line));
  if (found.guess) screen.trust.push_back(guess_text(*found.guess));
  for (const std::string& note : found.notes) screen.trust.push_back(inert(note));
  for (std::string& line : unused_lines(view.unused)) screen.trust.push_back(std::move(line));
  const std::string source = view.asked.empty() ? "" : " " + inert(view.asked);
  screen.next = {{"hockney topo --network" + source + " -o sites.json", "keep it as a site file"},
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
          .answer = {"nothing here tells where hosts are in the network"},
          .verdict = {},
          .trust = unused_lines(view.unused),
          .next = {
              {"hockney topo --network FILE", "from a file of one of these, see docs/placement.md"},
              {"hockney topo --network RECORDS", "a guess from measured latencies"}}};
}

void print_network_table(std::ostream& out, const NetworkView& view) {
  if (!view.found) return print_screen(out, screen_of(view), ScreenSize::whole);
  const SiteFile& sites = view.found->sites;
  std::vector<std::vector<std::string>> rows{{"host"}};
  for (const std::string& level : sites.levels) rows.front().push_back(inert(level));
  for (const std::string& host : sites.hosts) {
    rows.push_back({inert(host)});
    for (const std::string& site : sites.sites.at(host)) rows.back().push_back(inert(site));
  }
  for (const std::string& line : columns_of(rows)) out << line << '\n';
  const Lines notes = wrapped_sentences(
      strings_of(view.found->notes, [](const std::string& note) { return inert(note); }),
      screen_columns);
  if (!notes.empty()) out << '\n';
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
