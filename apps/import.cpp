#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <ranges>
#include <sstream>

#include "apps/subcommands.hpp"
#include "core/cli/subcommand.hpp"
#include "core/record_file.hpp"
#include "core/series_name.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "imports/suite_run.hpp"
#include "report/table.hpp"

namespace hockney::apps {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
  std::string suite;
  std::vector<std::string> paths;
  std::string folder;
  std::string setting;
  imports::RunFacts facts;
};

const imports::SuiteReader& suite_named(const std::string& name) {
  const auto found = std::ranges::find(imports::suites(), name, &imports::SuiteReader::name);
  if (found != imports::suites().end()) return *found;
  throw InputError(
      {"unknown suite '" + name + "'", "nothing reads its output",
       suggest(name, strings_of(imports::suites(), [](const imports::SuiteReader& suite) {
                 return std::string(suite.name);
               }))});
}

/// The files themselves, and all files in the folders, such as ReFrame's output folder, by name.
std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) found.push_back(entry.path().string());
    }
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  const std::ifstream stream(file, std::ios::binary);
  const bool is_readable = stream && fs::is_regular_file(file);
  if (is_readable) text << stream.rdbuf();
  if (!is_readable) {
    throw InputError({"cannot read '" + file + "'", "it is no file, or not readable",
                      "name files or folders of text that the suite printed"});
  }
  return text.str();
}

/// When the file was last written, which is when its program ended, unless it was copied since.
std::string written_utc(const std::string& file) {
  const auto time = std::chrono::file_clock::to_sys(fs::last_write_time(file));
  return utc_text(std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
}

/// Numbers the runs: the first of a point is its launch 1, the next its launch 2.
class LaunchNumbers {
 public:
  int next(const imports::SuiteRun& run) {
    std::map<std::string, int> in_run;
    int launch = 0;
    for (const imports::SuiteFigure& figure : run.figures) {
      const std::string point =
          curve_name(figure.point) + " " + std::to_string(figure.point.bytes.value);
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
  if (launches > 1) return std::to_string(launches) + " launches";
  return "1 launch (figures without interval: give several outputs of the same program)";
}

void require_new(const std::string& folder) {
  if (!fs::exists(folder) || fs::is_empty(folder)) return;
  throw InputError({"folder '" + folder + "' is not empty", "records of other runs would mix",
                    "give another one with --out"});
}

/// What the files held.
struct Imported {
  std::vector<Record> records;
  LaunchNumbers launches;
  std::size_t files_without_table = 0;
  std::size_t runs_without_figures = 0;
  imports::LeftOutRows left_out;
};

Imported read_all(const imports::SuiteReader& suite, const ImportOptions& options,
                  const std::string& campaign) {
  const std::string setting = options.setting.empty() ? options.suite : options.setting;
  Imported found;
  for (const std::string& file : files_of(options.paths)) {
    const std::string text = text_of(file);
    const std::vector<imports::SuiteRun> runs = suite.read({file, text}, options.facts);
    if (runs.empty()) ++found.files_without_table;
    for (const imports::SuiteRun& run : runs) {
      found.left_out.add(run.left_out);
      if (run.figures.empty()) {
        ++found.runs_without_figures;
        continue;
      }
      const CampaignPlace place{
          .name = campaign, .setting = setting, .launch = found.launches.next(run)};
      found.records.push_back(imports::record_of(run, written_utc(file), place));
    }
  }
  return found;
}

std::string left_out_text(const imports::LeftOutRows& rows) {
  return report::count_text(rows.count, "row") +
         " left out, whole or in part; the first: " + rows.first;
}

void print_imported(const Imported& found, const std::string& folder) {
  std::cout << found.launches.points() << " points, " << launches_text(found.launches.most())
            << ", from " << found.records.size() << " runs in " << folder << '\n';
  const auto say_left_out = [](std::size_t count, const char* what) {
    if (count > 0) std::cout << count << what << " were passed over\n";
  };
  say_left_out(found.files_without_table, " files without a table");
  say_left_out(found.runs_without_figures, " runs without a figure that could be read");
  if (found.left_out.count > 0) std::cout << left_out_text(found.left_out) << '\n';
  std::cout << "next     hockney report " << folder << "\n         hockney fit " << folder << '\n';
}

ExitCode run_import(const ImportOptions& options) {
  const imports::SuiteReader& suite = suite_named(options.suite);
  const std::string folder =
      options.folder.empty() ? "results/" + options.suite + "-" + utc_stamp() : options.folder;
  require_new(folder);
  const Imported found = read_all(suite, options, fs::path(folder).filename().string());
  const bool has_left_out = found.left_out.count > 0;
  if (found.records.empty()) {
    throw InputError(
        {"nothing to import",
         has_left_out ? left_out_text(found.left_out) : "no file holds a table of " + options.suite,
         "name what the suite printed to its standard output"});
  }
  if (has_left_out) std::cerr << "warning: " << left_out_text(found.left_out) << '\n';
  fs::create_directories(folder);
  for (std::size_t i = 0; i < found.records.size(); ++i) {
    save_record(found.records[i],
                folder + "/" + options.suite + "-" + std::to_string(i + 1) + ".json");
  }
  print_imported(found, folder);
  return ExitCode::good;
}

void add_options(CLI::App& app, ImportOptions& options) {
  app.add_option("suite", options.suite, "Whose output it is")
      ->required()
      ->type_name("osu|imb|nccl-tests");
  app.add_option("paths", options.paths,
                 "Their output, or folders of it (ReFrame's too); each run of a point is a launch")
      ->required();
  app.add_option("--out", options.folder, "New folder of the records")
      ->default_str("results/<suite>-<time>");
  app.add_option("--setting", options.setting, "Its name in comparisons")->default_str("the suite");
  app.add_option("--ranks", options.facts.ranks,
                 "Ranks of collectives, where the text does not tell (OMB)")
      ->default_str("none")
      ->check(CLI::PositiveNumber);
  app.add_option("--hop", options.facts.hop,
                 "Hop class between the ranks, such as l3 or cross-node")
      ->default_str("none");
  app.add_option("--operation", options.facts.operation,
                 "Operation, where the text does not tell (older nccl-tests)")
      ->default_str("none");
}

}  // namespace

void add_import(CLI::App& driver, Action& chosen) {
  add_command<ImportOptions>(
      driver, chosen, "import", "Records from what other suites printed", add_options, run_import,
      {.examples = {
           {"hockney import osu lat-1.txt lat-2.txt lat-3.txt", "three launches of osu_latency"},
           {"hockney import osu allreduce.txt --ranks 64 --out results/old", "of how many ranks"},
           {"hockney import imb reframe/output/cluster", "all files of a folder"}}});
}

}  // namespace hockney::apps
