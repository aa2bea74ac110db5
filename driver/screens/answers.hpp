#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/screens/results.hpp"
#include "placement/network/sources.hpp"
#include "report/screen.hpp"
#include "verdicts/tables/guideline_tables.hpp"

namespace hockney::report {

/// Numbers of violated, satisfied and undecided cases, and reasons for the undecided ones. Then a
/// line for each violated guideline, the largest loss first: largest loss and its size, other
/// sizes, and the algorithm that would repair it.
Lines guidelines_answer(const GuidelineReport& report);

/// The worst violation of each guideline as a value: ratio of times.
std::vector<SummaryRow> guideline_rows(const GuidelineReport& report);

/// The first line of guidelines_answer(), and the worst case.
std::string guidelines_verdict(const GuidelineReport& report);

/// The screen of any records. If folders are compared: which is faster. Else the purpose of the
/// records decides the content: guidelines, limits of the protocol, comparison of settings, or
/// curves of one setting. Faults come first. The caller adds next steps.
Screen screen_of(Results& results, const ScreenStyle& style = {});

/// The result of `hockney topo --network`.
struct NetworkView {
  std::optional<placement::FoundNetwork> found;  ///< nullopt: no source has the network
  std::vector<placement::UnusedSource> unused;
  std::string requested;  ///< the requested source with options; empty: any source
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
