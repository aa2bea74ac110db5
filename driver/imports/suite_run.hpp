#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/record.hpp"

namespace hockney::imports {

/// One figure in the output of another suite.
struct SuiteFigure {
  Point point;
  double seconds = 0;                 ///< > 0, of one operation [s]
  std::int64_t bytes_per_sample = 0;  ///< in the suite's bandwidth [B]; 0 without a bandwidth
  bool is_corrupt = false;            ///< the suite reported wrong data
};

/// Lines that were not read completely (rows, or some of their figures, and remarks of headers),
/// runs or files of one kind.
struct LeftOut {
  std::size_t count = 0;
  std::string first;  ///< place and reason of the first one: "lat.txt line 7 '8  -1.20': '-1.20' is
                      ///< no time"

  void add(const std::string& one) { add(LeftOut{1, one}); }
  void add(const LeftOut& others);
};

/// The output of another suite's program in one run.
struct SuiteRun {
  std::string suite;     ///< "osu", "imb" or "nccl-tests": the point's parameter `timing`
  std::string version;   ///< as printed, or empty
  std::string host;      ///< empty if not printed
  std::string cpu;       ///< machine or device, as printed; or empty
  std::string standard;  ///< of MPI, "3.1"; empty if not printed
  std::vector<std::string> command;  ///< as printed, or empty
  std::vector<SuiteFigure> figures;  ///< in the order printed
  LeftOut left_out{};
  std::string place;   ///< of its title: "lat.txt line 3"
  std::string title;   ///< as printed, without "#"
  std::string prefix;  ///< before its lines (driver/imports/table_text.hpp)
  /// Other facts about machine, libraries and the whole run, by name. Runs with different facts are
  /// not launches of one setting.
  std::map<std::string, std::string> facts{};
  LeftOut not_understood{};  ///< remarks of headers
  LeftOut assumed{};         ///< tables with an assumption that the text does not state
  /// Lines of the log that are in force at its table (driver/imports/log_lines.hpp).
  std::vector<std::string> context{};
  int begin_line = 0;  ///< of its title
  int first_row = 0;   ///< line; 0 without rows
  int last_row = 0;
};

/// The user's facts about runs whose text lacks them.
struct RunFacts {
  std::optional<int> ranks;              ///< of collectives; OMB does not print it
  std::optional<std::string> hop;        ///< hop class between the ranks
  std::optional<std::string> operation;  ///< nccl-tests before 2.17 do not print it
  std::optional<std::string> memory;     ///< of buffers; OMB 7.4 does not print it
};

/// A text with its name, for messages.
struct SuiteText {
  std::string name;
  std::string_view text;
};

// Each reader finds all runs in a job's output, also behind prefixes of launchers and logs
// (driver/imports/table_text.hpp). A run without a readable row has no figures. Headers become
// parameters of the points, so only tables with equal headers are launches of one point. Rows that
// are malformed, cut off, or repeat a size are left out and counted. Benchmarks unknown to hockney
// keep the suite's name. InputError with file and line if a table lacks something it needs.

/// OSU Micro-Benchmarks 3 to 7, MPI and NCCL.
std::vector<SuiteRun> read_osu(const SuiteText& text, const RunFacts& facts);
/// Intel MPI Benchmarks 3 to 2021: MPI1, P2P, NBC, RMA, MT, IO.
std::vector<SuiteRun> read_imb(const SuiteText& text, const RunFacts& facts);
/// nccl-tests 2 and rccl-tests.
std::vector<SuiteRun> read_nccl(const SuiteText& text, const RunFacts& facts);

/// A suite with its name on the command line.
struct SuiteReader {
  std::string_view name;
  std::string_view summary;
  std::vector<SuiteRun> (*read)(const SuiteText&, const RunFacts&);
};

/// All readers.
const std::vector<SuiteReader>& suites();

/// The run as a record: a launch of a campaign, after earlier launches of the same points.
/// `started_utc` is that of the run's file.
Record record_of(const SuiteRun& run, const std::string& started_utc, const CampaignPlace& place);

/// The place of the first header of a table without a title: "a.txt line 3 '# Size  Latency (us)'".
/// nullopt without one.
std::optional<std::string> untitled_table(const SuiteText& text);

/// A run and the file of its text.
struct FoundRun {
  SuiteRun run;
  std::string file;
};

/// The settings of runs. Runs of one setting are launches of their points. So runs with a common
/// point, but with different texts or folders, have different settings.
struct RunSettings {
  std::vector<std::string> names;        ///< of each run
  std::vector<std::string> differences;  ///< between settings: "folder", "device", "version"
};

/// Names of settings: `base` and the facts that separate them, "osu-mpich" or "osu-v7.2". Folders
/// that count repetitions ("run-2", "2026-09-28") separate none. Without `by_place`, folders and
/// hosts separate none.
RunSettings settings_of(std::span<const FoundRun> runs, const std::string& base, bool by_place);

/// The name of a campaign with records in `folder`: its last part without dates and times, so that
/// nightly campaigns share a name. `suite` if only a counter is left.
std::string campaign_name(const std::string& folder, const std::string& suite);

/// Curve and bytes of a point: equal for equal points, so that these are found among many.
std::string key_of(const Point& point);

}  // namespace hockney::imports
