#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "placement/network/sources.hpp"
#include "report/rows.hpp"
#include "report/screens/evaluation.hpp"
#include "report/screens/screen.hpp"
#include "report/verdict_tables.hpp"

namespace hockney::report {

/// How many cases are violated, satisfied and undecided; what the undecided ones lack; then a line
/// for each guideline that is violated, the largest loss first: where it loses most and how much,
/// at which other sizes, and which algorithm would repair it.
Lines guidelines_answer(const GuidelineReport& report);

/// The first line of that, and the worst case.
std::string guidelines_verdict(const GuidelineReport& report);

/// How many intervals are close, and the word for it ("good": nine of ten within 5 % of their
/// median, "fair": half of them, else "poor"); or why there is none.
std::string interval_words(std::span<const Row> rows);

/// Ranks that share CPUs (core/record.hpp), in a line; none where they do not.
Lines oversubscription_words(std::span<const Record> records);

/// The point whose two modes (verdicts/variability.hpp) are farthest apart, in one line: "two
/// modes: 0.100 us in 3 launches, 0.350 us in 7 (pingpong at 8; at 45 of 45 points, in the same
/// launches)". Empty if no point has two.
Lines mode_words(std::span<const Row> rows);

/// How reliable some rows are: ranks that share CPUs, two modes, width of intervals, disturbed
/// blocks, points not measured, settings ignored or not proven.
Lines reliability_of(std::span<const Record> records, std::span<const Row> rows);

/// The screen of any records: guidelines, limits of the protocol, settings against each other, or
/// the curves of one setting, whichever these were made for; faults before everything else. Its
/// next steps are the caller's.
Screen screen_of(Evaluation& evaluation, const ScreenStyle& style = {});

/// What `hockney topo --network` has to say.
struct NetworkView {
  std::optional<placement::FoundNetwork> found;  ///< nullopt: no source told anything
  std::vector<placement::UnusedSource> unused;
  std::string asked;  ///< the source as it was named, with options; empty: whatever there is
};

/// Where hosts are, from what, the hop classes, and why other sources were not used.
Screen screen_of(const NetworkView& view);

/// A row for each host: its site on each level.
View hosts_of(const NetworkView& view);

/// Every host with its sites, then what was left out of the network.
void print_network_table(std::ostream& out, const NetworkView& view);

/// `hockney.network/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const NetworkView& view);

}  // namespace hockney::report
