#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "tests/benchmarks/operations/registered_names.hpp"

namespace hockney::benchmarks {
namespace {

using Names = std::vector<std::string>;

/// What stands between backquotes.
Names quoted(const std::string& cell) {
  Names names;
  const Names parts = split(cell, '`');
  for (std::size_t i = 1; i < parts.size(); i += 2) names.push_back(parts[i]);
  return names;
}

/// A row of the table in docs/reference/osu-and-imb.md.
struct TableRow {
  std::string suite;
  Names benchmarks;
  std::string measured_by;
};

std::vector<TableRow> table_rows() {
  const std::string text = read_file(HOCKNEY_SOURCE_DIR "/docs/reference/osu-and-imb.md");
  const std::size_t begin = text.find("## Benchmark by benchmark");
  REQUIRE(begin != std::string::npos);
  std::istringstream lines(text.substr(begin, text.find("\n## ", begin + 1) - begin));
  std::vector<TableRow> rows;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| OMB") && !line.starts_with("| IMB")) continue;
    const Names cells = split(line, '|');
    REQUIRE(cells.size() == 6);  // one before the first bar, and one behind the last
    rows.push_back({cells[1].substr(1, cells[1].size() - 2), quoted(cells[2]), cells[3]});
  }
  return rows;
}

TEST_CASE("every benchmark of OMB and IMB has its place in the table, once") {
  std::multiset<std::string> listed;
  std::istringstream lines(
      read_file(HOCKNEY_SOURCE_DIR "/tests/benchmarks/operations/suite_benchmarks"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) listed.insert(line);
  }
  CHECK(listed.size() == 202);
  std::multiset<std::string> placed;
  for (const TableRow& row : table_rows()) {
    for (const std::string& benchmark : row.benchmarks) placed.insert(row.suite + " " + benchmark);
  }
  Names missing;
  std::ranges::set_difference(listed, placed, std::back_inserter(missing));
  CHECK(missing.empty());
  Names unknown;
  std::ranges::set_difference(placed, listed, std::back_inserter(unknown));
  CHECK(unknown.empty());
}

/// Names of hockney-mpi's programs, "startup" of hockney-startup.
std::set<std::string> programs() {
  const std::string text = read_file(HOCKNEY_SOURCE_DIR "/benchmarks/programs/CMakeLists.txt");
  const std::string list = "set(programs ";
  const std::size_t begin = text.find(list);
  REQUIRE(begin != std::string::npos);
  std::istringstream words(
      text.substr(begin + list.size(), text.find(')', begin) - begin - list.size()));
  return {std::istream_iterator<std::string>(words), {}};
}

/// Whether there is such an operation, or such a program.
bool is_there(const std::string& name) {
  const auto& all = catalogue();
  if (std::ranges::find(all, name, [](const auto& entry) { return entry.descriptor.name; }) !=
      all.end()) {
    return true;
  }
  if (registered_names(HOCKNEY_SOURCE_DIR "/benchmarks/operations/threads", {"Registration"})
          .contains(name)) {
    return true;
  }
  return name.starts_with("hockney-") && programs().contains(name.substr(name.find('-') + 1));
}

TEST_CASE("what the table says measures a benchmark is there, or is said not to be yet") {
  for (const TableRow& row : table_rows()) {
    INFO(row.suite << " " << join(row.benchmarks));
    const Names operations = quoted(row.measured_by);
    if (operations.empty()) CHECK(row.measured_by == " not yet ");
    for (const std::string& operation : operations) {
      INFO(operation);
      CHECK(is_there(operation));
    }
  }
}

}  // namespace
}  // namespace hockney::benchmarks
