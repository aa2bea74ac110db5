#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <unordered_map>

#include "core/cli/command_line.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/imports/suite_run.hpp"
#include "driver/subcommands.hpp"
#include "report/table.hpp"

namespace hockney::driver {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string suite;
  std::vector<std::string> paths;
  std::string folder;
  std::string setting;
  bool is_pooled = false;
  imports::RunFacts facts;
};

const imports::SuiteReader& suite_named(const std::string& name) {
  const auto found = std::ranges::find(imports::suites(), name, &imports::SuiteReader::name);
  if (found != imports::suites().end()) return *found;
  throw InputError(
      {fmt::format("unknown suite '{}'", name), "nothing reads its output",
       suggest(name, strings_of(imports::suites(), [](const imports::SuiteReader& suite) {
                 return std::string(suite.name);
               }))});
}

/// The files themselves, and by name all files in the folders, such as ReFrame's output folder.
std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    constexpr auto options = fs::directory_options::skip_permission_denied;
    for (const auto& entry : fs::recursive_directory_iterator(path, options)) {
      if (entry.is_regular_file()) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

/// The content of a file without its byte order mark.
std::string text_of(const std::string& file) {
  std::ostringstream text;
  const std::ifstream stream(file, std::ios::binary);
  const bool is_readable = stream && fs::is_regular_file(file);
  if (is_readable) text << stream.rdbuf();
  if (!is_readable) {
    throw InputError({fmt::format("cannot read '{}'", file), "it is no file, or not readable",
                      "name files or folders of text that the suite printed"});
  }
  std::string bytes = text.str();
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes.starts_with(mark)) bytes.erase(0, mark.size());
  return bytes;
}

/// Whether it is a program, archive or core dump, as found beside outputs.
bool is_binary(const std::string& bytes) { return bytes.find('\0') != std::string::npos; }

/// The file's modification time. It is when its program ended, unless it was copied since.
std::string written_utc(const std::string& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return utc_text(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
}

/// Numbers the runs: the first run of a point is its launch 1, the next its launch 2.
class LaunchNumbers {
 public:
  int next(const imports::SuiteRun& run) {
    std::map<std::string, int> in_run;
    int launch = 0;
    for (const imports::SuiteFigure& figure : run.figures) {
      const std::string point = imports::key_of(figure.point);
      if (in_run[point]++ == 0) launch = std::max(launch, ++launches_[point]);
    }
    return launch;
  }

  [[nodiscard]] int most() const {
    return launches_.empty() ? 0 : std::ranges::max(launches_ | std::views::values);
  }
  [[nodiscard]] std::size_t points() const { return launches_.size(); }

 private:
  std::map<std::string, int> launches_;
};

std::string launches_text(int launches) {
  if (launches > 1) return fmt::format("{} launches", launches);
  return "1 launch (figures without interval: give several outputs of the same program)";
}

void require_new(const std::string& folder) {
  if (!fs::exists(folder) || fs::is_empty(folder)) return;
  throw InputError({fmt::format("folder '{}' is not empty", folder),
                    "records of other runs would mix", "give another one with --out"});
}

/// InputError unless it is a kind of points (docs/how-to/gpu-buffers.md) or of other suites'
/// titles.
void require_memory(const std::optional<std::string>& memory) {
  static const std::vector<std::string> sides{"host",         "cuda",    "cuda-managed", "rocm",
                                              "rocm-managed", "openacc", "gpu"};
  if (!memory) return;
  const std::string between = "-to-";
  const std::size_t at = memory->find(between);
  const std::string first = memory->substr(0, at);
  const std::string second = at == std::string::npos ? first : memory->substr(at + between.size());
  for (const std::string& side : {first, second}) {
    if (std::ranges::find(sides, side) != sides.end()) continue;
    throw InputError({fmt::format("unknown memory '{}'", *memory),
                      fmt::format("no buffers are called '{}'", side), suggest(side, sides)});
  }
}

/// The content of the files.
struct Imported {
  std::vector<imports::FoundRun> runs;  ///< with figures
  std::size_t files = 0;
  imports::LeftOut binaries;
  imports::LeftOut files_without_table;
  imports::LeftOut runs_without_figures;  ///< by title and place
  imports::LeftOut of_other_suite;        ///< number of files of each other suite
  imports::LeftOut untitled;              ///< places of tables without title
  imports::LeftOut copies;                ///< runs, with their originals
  imports::LeftOut left_out;
  imports::LeftOut not_understood;
  imports::LeftOut assumed;
};

/// The name of another suite whose parser finds figures in the text.
std::optional<std::string> suite_of(const imports::SuiteText& text, const std::string& requested) {
  const imports::RunFacts facts{.ranks = 2, .operation = "allreduce"};
  for (const imports::SuiteReader& suite : imports::suites()) {
    if (suite.name == requested) continue;
    const auto runs = suite.read(text, facts);
    if (std::ranges::any_of(runs, [](const auto& run) { return !run.figures.empty(); })) {
      return std::string(suite.name);
    }
  }
  return std::nullopt;
}

/// Finds copies: files of the same bytes, and runs with the same figures to the last digit.
class Originals {
 public:
  /// Notes the file. Its runs are copies if an earlier file has the same bytes.
  void begin_file(const std::string& text) {
    is_copied_file_ = !files_.emplace(text.size(), std::hash<std::string>{}(text)).second;
  }

  /// The place of an earlier run with the same figures. Few figures may agree by chance.
  std::optional<std::string> original_of(const imports::SuiteRun& run) {
    std::string all = run.version;
    std::set<double> times;
    for (const imports::SuiteFigure& figure : run.figures) {
      all += fmt::format(" {} {}", imports::key_of(figure.point), figure.seconds);
      times.insert(figure.seconds);
    }
    constexpr std::size_t fewest = 3;
    const bool is_evidence = is_copied_file_ ? run.figures.size() > 1 : times.size() >= fewest;
    const auto [place, is_new] = runs_.try_emplace(std::move(all), run.place);
    return is_new || !is_evidence ? std::nullopt : std::optional(place->second);
  }

 private:
  std::set<std::pair<std::size_t, std::size_t>> files_;  ///< length and hash of their bytes
  std::unordered_map<std::string, std::string> runs_;    ///< places by figures
  bool is_copied_file_ = false;
};

void add_run(Imported& found, imports::SuiteRun run, const std::string& file,
             Originals& originals) {
  found.left_out.add(run.left_out);
  if (run.figures.empty()) {
    std::string title = fmt::format("'{}' in {}", escaped(run.title), escaped(run.place));
    if (!run.prefix.empty()) title += fmt::format(", behind the prefix '{}'", escaped(run.prefix));
    found.runs_without_figures.add(title);
    return;
  }
  if (const auto original = originals.original_of(run)) {
    return found.copies.add(
        fmt::format("{} has the figures of {}", escaped(run.place), escaped(*original)));
  }
  found.not_understood.add(run.not_understood);
  found.assumed.add(run.assumed);
  found.runs.push_back({.run = std::move(run), .file = file});
}

Imported read_all(const imports::SuiteReader& suite, const ImportOptions& options) {
  Imported found;
  Originals originals;
  for (const std::string& file : files_of(options.paths)) {
    ++found.files;
    const std::string text = text_of(file);
    if (is_binary(text)) {
      found.binaries.add(escaped(file));
      continue;
    }
    originals.begin_file(text);
    std::vector<imports::SuiteRun> runs = suite.read({file, text}, options.facts);
    if (runs.empty()) {
      found.files_without_table.add(escaped(file));
      if (const auto other = suite_of({file, text}, options.suite)) {
        found.of_other_suite.add(fmt::format("{} is output of {}", escaped(file), *other));
      } else if (const auto table = imports::untitled_table({file, text})) {
        found.untitled.add(*table);
      }
    }
    for (imports::SuiteRun& run : runs) {
      add_run(found, std::move(run), file, originals);
    }
  }
  return found;
}

/// The runs as launches of their settings. `base` is in the names of all settings; series of nights
/// are named by it, since what follows depends on the other runs of the import.
std::vector<Record> records_of(const Imported& found, const imports::RunSettings& settings,
                               const std::string& campaign, const std::string& base,
                               std::map<std::string, LaunchNumbers>& launches) {
  std::vector<Record> records;
  for (std::size_t i = 0; i < found.runs.size(); ++i) {
    const auto& [run, file] = found.runs[i];
    const std::string& setting = settings.names[i];
    const CampaignPlace place{
        .name = campaign, .setting = setting, .launch = launches[setting].next(run)};
    records.push_back(imports::record_of(run, written_utc(file), place));
    records.back().procedure = base;
  }
  return records;
}

std::string left_out_text(const imports::LeftOut& rows) {
  return fmt::format("{} left out, whole or in part; the first: {}",
                     report::count_text(rows.count, "row"), rows.first);
}

/// The message if there is nothing to import, with the most table-like text that was found.
Message nothing_to_import(const Imported& found, const std::string& suite) {
  const std::string problem = "nothing to import";
  if (found.left_out.count > 0) {
    return {problem, left_out_text(found.left_out),
            "name the whole output of one run, as the suite wrote it"};
  }
  if (found.runs_without_figures.count > 0) {
    return {problem, "no row with figures follows the title " + found.runs_without_figures.first,
            "name the whole output; lines may have one prefix, or a time stamp before it"};
  }
  if (found.of_other_suite.count > 0) {
    const std::string& first = found.of_other_suite.first;
    return {problem, first,
            fmt::format("write: hockney import {} ...", first.substr(first.rfind(' ') + 1))};
  }
  if (found.untitled.count > 0) {
    return {problem,
            "no title and no command of a benchmark is before the table at " + found.untitled.first,
            "name the whole output, or add the command in a line before the table"};
  }
  if (found.binaries.count > 0 && found.binaries.count == found.files) {
    return {problem, found.binaries.first + " is no text", "unpack archives first"};
  }
  return {problem,
          found.files == 1
              ? "no line of the file is a title of " + suite
              : fmt::format("no line of {} files is a title of {}", found.files, suite),
          "name what the suite printed to its standard output"};
}

void print_settings(const imports::RunSettings& settings,
                    const std::map<std::string, LaunchNumbers>& launches) {
  if (launches.size() < 2) return;
  constexpr std::size_t most = 10;
  std::vector<std::string> all;
  for (const auto& [name, numbers] : launches) {
    if (all.size() == most) {
      all.push_back(fmt::format("{} more", launches.size() - most));
      break;
    }
    all.push_back(fmt::format("{} ({}, {} {})", escaped(name),
                              report::count_text(numbers.points(), "point"), numbers.most(),
                              numbers.most() == 1 ? "launch" : "launches"));
  }
  std::cout << fmt::format("{} settings by the {}: {} (--pool makes them one)\n", launches.size(),
                           join(settings.differences, " and the "), join(all));
}

void print_passed_over(const Imported& found) {
  const auto say = [](const imports::LeftOut& things, const std::string& one,
                      const std::string& several) {
    if (things.count == 0) return;
    std::cout << fmt::format("{} {} passed over; the first: {}\n", things.count,
                             things.count == 1 ? one + " was" : several + " were", things.first);
  };
  say(found.copies, "copy", "copies");
  say(found.binaries, "file that is no text", "files that are no text");
  say(found.untitled, "table without title and command", "tables without title and command");
  say(found.files_without_table, "file without a table", "files without a table");
  say(found.runs_without_figures, "run without a figure that could be read",
      "runs without a figure that could be read");
  if (found.left_out.count > 0) std::cout << left_out_text(found.left_out) << '\n';
  if (found.not_understood.count > 0) {
    std::cout << fmt::format("{} of headers not understood; the first: {}\n",
                             report::count_text(found.not_understood.count, "line"),
                             found.not_understood.first);
  }
  if (found.assumed.count > 0) {
    std::cout << fmt::format("{} with an assumption; the first: {}\n",
                             report::count_text(found.assumed.count, "table"),
                             escaped(found.assumed.first));
  }
}

/// Whether a campaign like the runs exists: of one number of ranks, timed as OMB or IMB.
bool can_be_repeated(const Imported& found) {
  std::set<int> ranks;
  bool is_timed = true;
  for (const imports::FoundRun& found_run : found.runs) {
    is_timed = is_timed && (found_run.run.suite == "osu" || found_run.run.suite == "imb");
    for (const imports::SuiteFigure& figure : found_run.run.figures) {
      ranks.insert(figure.point.ranks);
    }
  }
  return is_timed && ranks.size() == 1;
}

void print_imported(const Imported& found, const imports::RunSettings& settings,
                    const std::map<std::string, LaunchNumbers>& launches,
                    const std::string& folder) {
  std::size_t points = 0;
  int most = 0;
  for (const auto& [name, numbers] : launches) {
    points += numbers.points();
    most = std::max(most, numbers.most());
  }
  std::cout << fmt::format("{}, {}, from {} in {}\n", report::count_text(points, "point"),
                           launches_text(most), report::count_text(found.runs.size(), "run"),
                           folder);
  print_settings(settings, launches);
  print_passed_over(found);
  const std::string name = escaped(shell_word(folder));
  if (can_be_repeated(found)) {
    std::cout << fmt::format("next     hockney run --like {0}\n         hockney report {0}\n",
                             name);
  } else {
    std::cout << fmt::format("next     hockney report {0}\n         hockney fit {0}\n", name);
  }
}

/// The name of all settings without what distinguishes them.
std::string base_of(const ImportOptions& options) {
  return options.setting.empty() ? options.suite : options.setting;
}

imports::RunSettings settings_of(const Imported& found, const ImportOptions& options) {
  const bool is_named = !options.setting.empty();
  const std::string base = base_of(options);
  if (!options.is_pooled) return imports::settings_of(found.runs, base, !is_named);
  return {.names = std::vector<std::string>(found.runs.size(), base), .differences = {}};
}

ExitCode run_import(const ImportOptions& options) {
  const imports::SuiteReader& suite = suite_named(options.suite);
  require_memory(options.facts.memory);
  const bool is_named = !options.folder.empty();
  const std::string folder =
      is_named ? options.folder : fmt::format("results/{}-{}", options.suite, utc_stamp());
  require_new(folder);
  const Imported found = read_all(suite, options);
  if (found.runs.empty()) throw InputError(nothing_to_import(found, options.suite));
  if (found.left_out.count > 0) std::cerr << "warning: " << left_out_text(found.left_out) << '\n';
  const imports::RunSettings settings = settings_of(found, options);
  const std::string campaign = imports::campaign_name(folder, options.suite);
  std::map<std::string, LaunchNumbers> launches;
  const std::vector<Record> records =
      records_of(found, settings, campaign, base_of(options), launches);
  fs::create_directories(folder);
  for (std::size_t i = 0; i < records.size(); ++i) {
    save_record(records[i], fmt::format("{}/{}-{}.json", folder, options.suite, i + 1));
  }
  print_imported(found, settings, launches, folder);
  return ExitCode::good;
}

void add_options(CommandLine& app, ImportOptions& options) {
  app.add_option("suite", options.suite, "Whose output it is")
      .required()
      .type_name("osu|imb|nccl-tests");
  app.add_option("paths", options.paths,
                 "Their output, or folders of it (ReFrame's too); each run of a point is a launch")
      .required();
  app.add_option("--out", options.folder, "New folder of the records")
      .default_str("results/<suite>-<time>");
  app.add_option("--setting", options.setting,
                 "Its name in comparisons; folders, hosts and names of files separate no settings")
      .default_str("the suite");
  app.add_flag("--pool", options.is_pooled,
               "Make all runs of a point launches of one setting, whatever differs around them");
  app.add_option("--ranks", options.facts.ranks,
                 "Ranks of collectives, if the text lacks them (OMB)")
      .default_str("none")
      .positive();
  app.add_option("--hop", options.facts.hop,
                 "Hop class between the ranks, such as l3 or cross-node")
      .default_str("none");
  app.add_option("--operation", options.facts.operation,
                 "Operation, if the text lacks it (older nccl-tests)")
      .default_str("none");
  app.add_option("--memory", options.facts.memory,
                 "Memory of the buffers, if the title only says GPU (OMB 7.4): cuda, "
                 "cuda-to-host, host")
      .default_str("that of the title");
}

}  // namespace

void add_import(CommandLine& driver, Action& chosen) {
  add_command<ImportOptions>(
      driver, chosen, "import", "Convert printed results of other suites to records", add_options,
      run_import,
      {.examples = {
           {"hockney import osu lat-1.txt lat-2.txt lat-3.txt", "three launches of osu_latency"},
           {"hockney import osu allreduce.txt --ranks 64 --out results/old", "of how many ranks"},
           {"hockney import imb reframe/output/cluster", "all files of a folder"}}});
}

}  // namespace hockney::driver
