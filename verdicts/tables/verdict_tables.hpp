#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <string_view>

#include "report/view.hpp"
#include "verdicts/compare.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::report {

/// A row for each point of both sides: medians over launches with intervals, ratio B/A with
/// interval, adjusted p-value, verdict, proven paths. Text lines name the curves and the number of
/// launches that would decide.
View view_of(const verdicts::CompareSet& set);
/// The same for each value of the axis; A is the base.
View view_of(const verdicts::AxisCompareSet& set);
/// A row for each rate: false alarms, power, coverage, clock errors within their bound.
View view_of(const verdicts::SelfTest& test);

inline constexpr std::string_view compare_schema = "hockney.compare/1";
inline constexpr std::string_view compare_axis_schema = "hockney.compare-axis/1";

/// The document of `hockney compare --json`; unknown values are null.
nlohmann::json to_json(const verdicts::CompareSet& set);
/// The document of `hockney compare --by`: one comparison document for each value of the axis.
nlohmann::json to_json(const verdicts::AxisCompareSet& set);

/// Prints both sides and the rows. Then follow crossovers, points that lack a side, and the family
/// of tests.
void print_compare_table(std::ostream& out, const verdicts::CompareSet& set);

/// Names points that one side lacks, three at most, with the reasons: "only in B: bcast
/// ranks=2 1K (not measured: SIGSEGV in libmpi.so.40)".
std::string lone_text(const std::string& title, std::span<const verdicts::LonePoint> points);

/// The same by values of an axis; then values without a base.
void print_compare_axis_table(std::ostream& out, const verdicts::AxisCompareSet& set);

/// "false alarms 4/200; power, 10.0 % slower 190/200; coverage, launches at random 196/200; ...".
std::string self_test_verdict(const verdicts::SelfTest& test);

/// Prints the rates, and the errors of clock synchronisation.
void print_self_test(std::ostream& out, const verdicts::SelfTest& test);

}  // namespace hockney::report
