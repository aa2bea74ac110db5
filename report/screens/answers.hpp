#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"
#include "placement/network/sources.hpp"
#include "report/rows.hpp"
#include "report/screen.hpp"
#include "report/screens/evaluation.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::report {

/// Numbers of violated, satisfied and undecided cases, and reasons for the undecided ones. Then a
/// line for each violated guideline, the largest loss first: largest loss and its size, other
/// sizes, and the algorithm that would repair it.
Lines guidelines_answer(const GuidelineReport& report);

/// The first line of guidelines_answer(), and the worst case.
std::string guidelines_verdict(const GuidelineReport& report);

/// The number of close intervals and its rating: "good" if nine of ten are within 5 % of their
/// median, "fair" if half are, else "poor". Without intervals, the reason.
std::string interval_words(std::span<const Row> rows);

/// "nothing was measured: SIGSEGV in libmpi.so.40 (6 points)", with the most frequent reason.
std::string nothing_words(std::span<const Row> rows);

/// A line about ranks that share CPUs (core/record.hpp); empty without any.
Lines oversubscription_words(std::span<const Record> records);

/// The point with the largest ratio of its two modes (verdicts/variability.hpp), in one line: "two
/// modes: 0.100 us in 3 launches, 0.350 us in 7 (pingpong at 8; at 45 of 45 points, in the same
/// launches)". Empty without two modes at any point.
Lines mode_words(std::span<const Row> rows);

/// Reliability of rows: ranks that share CPUs, two modes, width of intervals, disturbed blocks,
/// unmeasured points, ignored or unproven settings.
Lines reliability_of(std::span<const Record> records, std::span<const Row> rows);

/// The screen of any records. Their purpose decides the content: guidelines, limits of the
/// protocol, comparison of settings, or curves of one setting. Faults come first. The caller adds
/// next steps.
Screen screen_of(Evaluation& evaluation, const ScreenStyle& style = {});

/// The result of `hockney topo --network`.
struct NetworkView {
  std::optional<placement::FoundNetwork> found;  ///< nullopt: no source has the network
  std::vector<placement::UnusedSource> unused;
  std::string asked;  ///< the requested source with options; empty: any source
};

/// Places of the hosts with their source, hop classes, and reasons why other sources were not used.
Screen screen_of(const NetworkView& view);

/// A row for each host, with its site on each level.
View hosts_of(const NetworkView& view);

/// Prints every host with its sites, then notes, such as hosts left out.
void print_network_table(std::ostream& out, const NetworkView& view);

/// `hockney.network/1` (docs/reference/json-documents.md).
nlohmann::json to_json(const NetworkView& view);

}  // namespace hockney::report
