#include "imports/suite_run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/point.hpp"
#include "core/suite_names.hpp"

namespace hockney::imports {
namespace {

/// The series of a record by their points. If a suite printed several figures of a point (a
/// repeated table), all count.
class SeriesByPoint {
 public:
  explicit SeriesByPoint(Record& record) : record_(record) {}

  Series& at(const SuiteFigure& figure) {
    auto& places = places_[key_of(figure.point)];
    for (const std::size_t place : places) {
      if (record_.series[place].point == figure.point) return record_.series[place];
    }
    places.push_back(record_.series.size());
    record_.points.own().push_back(
        {.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
    return record_.series.emplace_back(
        Series{.point = figure.point, .bytes_per_sample = figure.bytes_per_sample});
  }

 private:
  Record& record_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;  ///< by key_of
};

}  // namespace

const std::vector<SuiteReader>& suites() {
  static const std::vector<SuiteReader> all{{"osu", "OSU Micro-Benchmarks", read_osu},
                                            {"imb", "Intel MPI Benchmarks", read_imb},
                                            {"nccl-tests", "nccl-tests and rccl-tests", read_nccl}};
  return all;
}

void LeftOut::add(const LeftOut& others) {
  if (count == 0) first = others.first;
  count += others.count;
}

Record record_of(const SuiteRun& run, const std::string& started_utc, const CampaignPlace& place) {
  Record record{.procedure = run.suite,
                .started_utc = started_utc,
                .stopped_because = std::string(imported_reason),
                .campaign = place};
  record.provenance.command_line = run.command;
  record.provenance.build.version = run.version;
  record.provenance.mpi.standard = run.standard;
  record.provenance.hosts = {Host{.name = run.host, .cpu_model = run.cpu}};
  record.clock.source = run.suite;
  SeriesByPoint known(record);
  for (const SuiteFigure& figure : run.figures) {
    Series& series = known.at(figure);
    series.samples_seconds.push_back(figure.seconds);
    if (figure.is_corrupt) series.flags = {std::string(corrupt_flag)};
  }
  for (Series& series : record.series) {
    series.blocks = {static_cast<int>(series.samples_seconds.size())};
    series.summary = summarise(series);
  }
  return record;
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_key = "folder";

/// Whether a folder's name is only a counter: "3", "run-2", "night_28", "2026-09-28".
bool counts_only(const std::string& name) {
  static const std::set<std::string> counters{
      "",      "run",   "runs",  "launch",  "rep",     "repeat", "repetition", "trial",   "iter",
      "round", "try",   "night", "nightly", "attempt", "day",    "job",        "rfm-job", "sample",
      "week",  "slurm", "t",     "tz",      "z",       "series", "iteration",  "rerun"};
  std::string letters;
  for (const char letter : name) {
    const auto plain = static_cast<unsigned char>(letter);
    if (std::isalpha(plain) != 0) letters += static_cast<char>(std::tolower(plain));
    if (letter == '-' && letters == "rfm") letters += letter;
  }
  return counters.contains(letters);
}

/// A name without dates and times, without the digest of ReFrame's tests ("osu_latency_5f3ac1be"),
/// and without a final counter ("mpich-run-2").
std::string without_counters(const std::string& name) {
  static const std::regex time(
      "[-_.]?(?:19|20)[0-9]{2}(?:-?[0-9]{2}){2}(?:[T_-]?[0-9]{2}(?:[:-]?[0-9]{2}){1,2}Z?)?");
  static const std::regex end(
      "(?:_[0-9a-f]{8}|[-_.](?:run|rep|repeat|launch|iter|trial|try|night|day|job|sample)[-_]?"
      "[0-9]+)$");
  return std::regex_replace(std::regex_replace(name, time, std::string()), end, std::string());
}

/// The traits that distinguish a run, by name. Names of folders end with their depth, so that the
/// outermost is first.
std::map<std::string, std::string> traits_of(const FoundRun& found, bool by_place) {
  std::map<std::string, std::string> traits = found.run.facts;
  if (!by_place) {
    traits.erase("host");
    return traits;
  }
  constexpr int three_digits = 1000;
  int depth = three_digits;
  for (const fs::path& part : fs::path(found.file).parent_path().lexically_normal()) {
    const std::string name = without_counters(part.string());
    if (name != "." && !counts_only(name)) {
      traits[fmt::format("{}{}", folder_key, depth)] = name;
    }
    ++depth;
  }
  return traits;
}

std::string plain_name(std::string text) {
  constexpr std::size_t longest = 40;
  std::ranges::replace_if(
      text,
      [](unsigned char letter) {
        return std::isalnum(letter) == 0 &&
               std::string_view("._+").find(static_cast<char>(letter)) == std::string_view::npos;
      },
      '-');
  return text.substr(0, longest);
}

std::string trait_text(const std::string& name, const std::string& value) {
  static const std::map<std::string, std::string> before{
      {"version", "v"}, {"mpi", "mpi-"}, {"nccl", "nccl-"}, {"processes", "np"}};
  const auto found = before.find(name);
  return (found == before.end() ? "" : found->second) + plain_name(value);
}

class Parting {
 public:
  Parting(std::span<const FoundRun> runs, bool by_place) {
    for (const FoundRun& found : runs) {
      traits_.push_back(traits_of(found, by_place));
      for (const auto& [name, value] : traits_.back()) names_.insert(name);
      points_.emplace_back();
      for (const SuiteFigure& figure : found.run.figures) {
        points_.back().insert(
            numbers_.try_emplace(key_of(figure.point), numbers_.size()).first->second);
      }
    }
  }

  /// Drops traits that are not needed to separate runs with a common point. Hosts are dropped
  /// first, then other facts of texts, then inner folders. The remaining names are the users' own,
  /// or stable over days.
  void reduce() {
    std::vector<std::string> order(names_.begin(), names_.end());
    std::ranges::stable_sort(order, {}, [](const std::string& name) {
      return name == "host" ? 0 : (name.starts_with(folder_key) ? 2 : 1);
    });
    const auto folders = std::ranges::find_if(
        order, [](const std::string& name) { return name.starts_with(folder_key); });
    std::reverse(folders, order.end());
    for (const std::string& name : order) {
      names_.erase(name);
      if (is_needed(name)) names_.insert(name);
    }
  }

  [[nodiscard]] const std::set<std::string>& names() const { return names_; }

  /// The values of a run's remaining traits.
  [[nodiscard]] std::vector<std::string> values(std::size_t run) const {
    std::vector<std::string> found;
    found.reserve(names_.size());
    for (const std::string& name : names_) found.push_back(value(run, name));
    return found;
  }

  [[nodiscard]] std::string text(std::size_t run) const {
    std::string text;
    for (const std::string& name : names_) {
      const std::string own = value(run, name);
      if (!own.empty()) text += "-" + trait_text(name, own);
    }
    return text;
  }

 private:
  [[nodiscard]] std::string value(std::size_t run, const std::string& name) const {
    const auto found = traits_[run].find(name);
    return found == traits_[run].end() ? std::string() : found->second;
  }

  [[nodiscard]] bool is_needed(const std::string& name) const {
    std::map<std::vector<std::string>, std::size_t> groups;
    std::map<std::pair<std::size_t, std::size_t>, std::string> seen;
    for (std::size_t run = 0; run < traits_.size(); ++run) {
      const std::size_t others = groups.try_emplace(values(run), groups.size()).first->second;
      const std::string own = value(run, name);
      for (const std::size_t point : points_[run]) {
        const auto [place, is_new] = seen.try_emplace({others, point}, own);
        if (!is_new && place->second != own) return true;
      }
    }
    return false;
  }

  std::vector<std::map<std::string, std::string>> traits_;
  std::map<std::string, std::size_t> numbers_;  ///< of points
  std::vector<std::set<std::size_t>> points_;   ///< of each run
  std::set<std::string> names_;
};

}  // namespace

RunSettings settings_of(std::span<const FoundRun> runs, const std::string& base, bool by_place) {
  Parting parting(runs, by_place);
  parting.reduce();
  RunSettings settings;
  std::map<std::vector<std::string>, std::string> known;
  std::set<std::string> taken;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto [place, is_new] = known.try_emplace(parting.values(run), base + parting.text(run));
    if (is_new && !taken.insert(place->second).second) {
      place->second += fmt::format("-{}", known.size());
      taken.insert(place->second);
    }
    settings.names.push_back(place->second);
  }
  for (const std::string& name : parting.names()) {
    const std::string plain = name.starts_with(folder_key) ? std::string(folder_key) : name;
    if (std::ranges::find(settings.differences, plain) == settings.differences.end()) {
      settings.differences.push_back(plain);
    }
  }
  return settings;
}

std::string campaign_name(const std::string& folder, const std::string& suite) {
  fs::path path = fs::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const std::string name = without_counters(path.filename().string());
  return counts_only(name) || name == "." || name == ".." ? suite : name;
}

}  // namespace hockney::imports
