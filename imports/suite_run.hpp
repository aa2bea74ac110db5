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

/// One figure that another suite printed.
struct SuiteFigure {
  Point point;
  double seconds = 0;                 ///< > 0, of one operation [s]
  std::int64_t bytes_per_sample = 0;  ///< that the suite's own bandwidth counts [B]; 0: it has none
  bool is_corrupt = false;            ///< the suite itself found wrong data
};

/// Lines of which not everything was taken: rows, or figures of them, and remarks of headers.
struct LeftOut {
  std::size_t count = 0;
  std::string first;  ///< where it is and why: "lat.txt line 7 '8  -1.20': '-1.20' is no time"

  void add(const LeftOut& others);
};

/// What a program of another suite printed in one run.
struct SuiteRun {
  std::string suite;     ///< "osu", "imb" or "nccl-tests": the point's parameter `timing`
  std::string version;   ///< as printed; empty where it is not
  std::string host;      ///< empty where it is not printed
  std::string cpu;       ///< machine or device, as printed; empty where it is not
  std::string standard;  ///< of MPI, "3.1"; empty where it is not printed
  std::vector<std::string> command;  ///< as printed; empty where it is not
  std::vector<SuiteFigure> figures;  ///< in the order printed
  LeftOut left_out{};
  std::string place;   ///< of its title: "lat.txt line 3"
  std::string title;   ///< as printed, without "#"
  std::string prefix;  ///< before its lines (imports/table_text.hpp)
  /// What else the text says of machine, libraries and the whole run, by name. Runs that differ in
  /// it are no launches of one setting.
  std::map<std::string, std::string> facts{};
  LeftOut not_understood{};  ///< remarks of headers
  LeftOut assumed{};         ///< tables of which something was taken that the text does not say
};

/// What the user says about runs whose text does not tell.
struct RunFacts {
  std::optional<int> ranks;              ///< of collectives: OMB does not print it
  std::optional<std::string> hop;        ///< hop class between the ranks
  std::optional<std::string> operation;  ///< that nccl-tests before 2.17 do not print
  std::optional<std::string> memory;     ///< of buffers: OMB 7.4 does not print it
};

/// A text with its name, for messages.
struct SuiteText {
  std::string name;
  std::string_view text;
};

// Each reader finds all runs in a job's output, also behind prefixes of launchers and logs
// (imports/table_text.hpp). A run without a readable row has no figures. Headers become
// parameters of the points, so only tables with equal headers are launches of one point. Rows that
// are malformed, cut off, or repeat a size are left out and counted. Benchmarks unknown to hockney
// keep the suite's name. InputError with file and line if a table lacks something it needs.

/// OSU Micro-Benchmarks 3 to 7, MPI and NCCL.
std::vector<SuiteRun> read_osu(const SuiteText& text, const RunFacts& facts);
/// Intel MPI Benchmarks 3 to 2021: MPI1, P2P, NBC, RMA, MT, IO.
std::vector<SuiteRun> read_imb(const SuiteText& text, const RunFacts& facts);
/// nccl-tests 2 and rccl-tests.
std::vector<SuiteRun> read_nccl(const SuiteText& text, const RunFacts& facts);

/// A suite by the name that users give.
struct SuiteReader {
  std::string_view name;
  std::string_view summary;
  std::vector<SuiteRun> (*read)(const SuiteText&, const RunFacts&);
};

/// All of them.
const std::vector<SuiteReader>& suites();

/// The runs as records: each run is a launch of one campaign, the next one of every point that was
/// there before. `started_utc` is of the file that `run` came from.
Record record_of(const SuiteRun& run, const std::string& started_utc, const CampaignPlace& place);

/// A run and the file that has its text.
struct FoundRun {
  SuiteRun run;
  std::string file;
};

/// The settings of runs. Runs of one setting are launches of their points, so that those whose
/// texts or folders differ where they have a point in common are of several settings.
struct RunSettings {
  std::vector<std::string> names;        ///< of each run
  std::vector<std::string> differences;  ///< what parts settings: "folder", "device", "version"
};

/// How settings are named: `base`, and behind it what parts them, "osu-mpich" or "osu-v7.2".
/// Folders that count repetitions ("run-2", "2026-09-28") part none; without `by_place`, folders
/// and hosts part none at all.
RunSettings settings_of(std::span<const FoundRun> runs, const std::string& base, bool by_place);

/// What a campaign is called whose records go to `folder`: its last part without dates and times,
/// so that every night's campaign has one name; `suite` where nothing but a count is left.
std::string campaign_name(const std::string& folder, const std::string& suite);

}  // namespace hockney::imports
