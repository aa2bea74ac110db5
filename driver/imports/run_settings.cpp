#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdint>
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
#include "driver/imports/marks.hpp"
#include "driver/imports/suite_run.hpp"

namespace hockney::imports {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_key = "folder";

/// Whether a folder's name is only a counter: "3", "run-2", "night_28", "2026-09-28".
bool counts_only(const std::string& name) {
  static const std::set<std::string> others{
      "",          "rfm-job",  "t",      "tz",       "z",     "mon",    "tue",
      "wed",       "thu",      "fri",    "sat",      "sun",   "monday", "tuesday",
      "wednesday", "thursday", "friday", "saturday", "sunday"};
  std::string letters;
  for (const char letter : name) {
    const auto plain = static_cast<unsigned char>(letter);
    if (std::isalpha(plain) != 0) letters += static_cast<char>(std::tolower(plain));
    if (letter == '-' && letters == "rfm") letters += letter;
  }
  return others.contains(letters) || is_counter_word(letters);
}

/// A name without dates and times, without the digest of ReFrame's tests ("osu_latency_5f3ac1be"),
/// and without counters ("mpich-run-2", "job_12345-mpich").
std::string without_counters(const std::string& name) {
  static const std::regex time(
      "[-_.]?(?:19|20)[0-9]{2}(?:[-_]?[0-9]{2}){2}(?:[T_-]?[0-9]{2}(?:[:-]?[0-9]{2}){1,2}Z?)?");
  static const std::regex digest("_[0-9a-f]{8}$");
  static const std::regex counter(
      "(?:^|[-_.])(?:run|rep|repeat|launch|iter|trial|try|night|day|job|sample|slurm)[-_.]?[0-9]+"
      "(?=$|[-_.])");
  std::string plain = std::regex_replace(name, time, std::string());
  plain = std::regex_replace(plain, digest, std::string());
  plain = std::regex_replace(plain, counter, std::string());
  return plain.substr(std::min(plain.find_first_not_of("-_"), plain.size()));
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
  [[nodiscard]] const std::vector<std::set<std::size_t>>& points() const { return points_; }

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

constexpr std::string_view by_line = "line before each table";
constexpr std::string_view by_command = "command";
constexpr std::string_view by_file = "file name";

/// The words around runs that distinguish runs of one point.
class RunMarks {
 public:
  RunMarks(std::span<const FoundRun> runs, bool by_place) {
    find_counters(runs, by_place);
    for (const FoundRun& found : runs) {
      of_run_.emplace_back();
      pairs_of_run_.emplace_back();
      text_of_run_.emplace_back();
      for_each_text(found, by_place, [&](const std::vector<Mark>& marks, std::string_view origin) {
        add(marks, origin);
      });
    }
  }

  /// For each run, the marks that others of its point and group lack, in the order of its text.
  std::vector<std::vector<std::size_t>> differing(const std::vector<std::set<std::size_t>>& points,
                                                  std::vector<std::size_t> groups) {
    std::vector<std::vector<std::size_t>> found = differing_in(of_run_, points, groups);
    // Equal words in another order: "D H" and "H D".
    std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> numbers;
    for (std::size_t run = 0; run < groups.size(); ++run) {
      groups[run] = numbers.try_emplace({groups[run], found[run]}, numbers.size()).first->second;
    }
    const auto pairs = differing_in(pairs_of_run_, points, groups);
    for (std::size_t run = 0; run < groups.size(); ++run) {
      found[run].insert(found[run].end(), pairs[run].begin(), pairs[run].end());
    }
    return found;
  }

  /// The mark, with its neighbours on the same runs.
  [[nodiscard]] const std::string& text(std::size_t mark) const { return shown_[mark]; }
  [[nodiscard]] std::string_view origin(std::size_t mark) const { return origins_[mark]; }

 private:
  using Marks = std::vector<std::size_t>;

  template <class Use>
  void for_each_text(const FoundRun& found, bool by_place, Use use) {
    for (const std::string& line : found.run.context) use(of_line(line), by_line);
    if (!found.run.command.empty()) use(marks_of_command(found.run.command), by_command);
    if (by_place) use(marks_of_file(fs::path(found.file).filename().string()), by_file);
  }

  /// A line may be in force at many tables.
  const std::vector<Mark>& of_line(const std::string& line) {
    const auto found = of_line_.find(line);
    return found != of_line_.end() ? found->second
                                   : of_line_.emplace(line, marks_of_line(line)).first->second;
  }

  void find_counters(std::span<const FoundRun> runs, bool by_place) {
    struct Family {
      std::set<std::int64_t> numbers;
      bool counts_from_one = false;
    };
    std::map<std::string, Family> families;
    for (const FoundRun& found : runs) {
      for_each_text(found, by_place, [&](const std::vector<Mark>& marks, std::string_view) {
        for (const Mark& mark : marks) {
          if (mark.family.empty()) continue;
          Family& family = families[mark.family];
          family.numbers.insert(mark.number);
          family.counts_from_one = family.counts_from_one || mark.counts_from_one;
        }
      });
    }
    for (const auto& [name, family] : families) {
      if (are_counters({family.numbers.begin(), family.numbers.end()}, family.counts_from_one)) {
        counters_.insert(name);
      }
    }
  }

  void add(const std::vector<Mark>& marks, std::string_view origin) {
    std::string before;
    for (const Mark& mark : marks) {
      if (counters_.contains(mark.family)) continue;
      add_to(of_run_.back(), mark.text, origin);
      text_of_run_.back().resize(of_run_.back().size(), texts_read_);
      if (!before.empty()) add_to(pairs_of_run_.back(), before + "-" + mark.text, origin);
      before = mark.text;
    }
    ++texts_read_;
  }

  void add_to(Marks& marks, const std::string& text, std::string_view origin) {
    const auto [place, is_new] = numbers_.try_emplace(text, texts_.size());
    if (is_new) {
      texts_.push_back(text);
      shown_.push_back(text);
      origins_.push_back(origin);
      last_run_.push_back(0);
    }
    // Each mark once in a run.
    std::size_t& last = last_run_[place->second];
    if (std::exchange(last, of_run_.size()) != of_run_.size()) marks.push_back(place->second);
  }

  /// For each mark a hash of the runs that have it.
  [[nodiscard]] std::vector<std::size_t> hashes_of_runs(const std::vector<Marks>& all) const {
    std::vector<std::size_t> runs_of(texts_.size(), 0);
    for (std::size_t run = 0; run < all.size(); ++run) {
      for (const std::size_t mark : all[run]) {
        constexpr std::size_t odd = 0x9E3779B97F4A7C15;
        runs_of[mark] = (runs_of[mark] ^ (run + 1)) * odd;
      }
    }
    return runs_of;
  }

  [[nodiscard]] std::vector<Marks> differing_in(const std::vector<Marks>& all,
                                                const std::vector<std::set<std::size_t>>& points,
                                                const std::vector<std::size_t>& groups) {
    const std::vector<bool> differs = which_differ(all, points, groups);
    // Of marks on the same runs, the first tells as much as all.
    const std::vector<std::size_t> runs_of = hashes_of_runs(all);
    std::unordered_map<std::size_t, std::size_t> first_of;
    std::vector<Marks> found(all.size());
    for (std::size_t run = 0; run < all.size(); ++run) {
      for (std::size_t at = 0; at < all[run].size(); ++at) {
        const std::size_t mark = all[run][at];
        if (!differs[mark]) continue;
        const auto [first, is_new] = first_of.try_emplace(runs_of[mark], mark);
        if (first->second != mark) continue;
        found[run].push_back(mark);
        if (is_new && &all == &of_run_) show_neighbours(run, at, runs_of);
      }
    }
    return found;
  }

  /// Adds to a mark's text those that follow it in the same text and are on the same runs.
  void show_neighbours(std::size_t run, std::size_t at, const std::vector<std::size_t>& runs_of) {
    constexpr std::size_t longest = 30;
    const Marks& marks = of_run_[run];
    std::string& shown = shown_[marks[at]];
    for (std::size_t next = at + 1; next < marks.size() && shown.size() < longest; ++next) {
      const bool is_with = text_of_run_[run][next] == text_of_run_[run][at] &&
                           runs_of[marks[next]] == runs_of[marks[at]];
      if (!is_with) return;
      shown += "-" + texts_[marks[next]];
    }
  }

  /// The runs of a point in a group.
  struct Place {
    std::size_t runs = 0;
    std::unordered_map<std::size_t, std::size_t> with;  ///< runs by mark

    void add(const Marks& marks) {
      ++runs;
      for (const std::size_t mark : marks) ++with[mark];
    }
    void note_differing(std::vector<bool>& differs) const {
      for (const auto& [mark, count] : with) differs[mark] = differs[mark] || count < runs;
    }
  };

  /// Without the marks that all runs have.
  [[nodiscard]] std::vector<Marks> rare(std::vector<Marks> all) const {
    std::vector<std::size_t> runs_with(texts_.size(), 0);
    for (const Marks& marks : all) {
      for (const std::size_t mark : marks) ++runs_with[mark];
    }
    for (Marks& marks : all) {
      std::erase_if(marks, [&](std::size_t mark) { return runs_with[mark] == all.size(); });
    }
    return all;
  }

  /// Whether some, but not all runs of a point in a group have the mark.
  [[nodiscard]] std::vector<bool> which_differ(const std::vector<Marks>& all,
                                               const std::vector<std::set<std::size_t>>& points,
                                               const std::vector<std::size_t>& groups) const {
    const std::vector<Marks> marks = rare(all);
    std::map<std::pair<std::size_t, std::size_t>, Place> places;
    for (std::size_t run = 0; run < all.size(); ++run) {
      for (const std::size_t point : points[run]) places[{groups[run], point}].add(marks[run]);
    }
    std::vector<bool> differs(texts_.size(), false);
    for (const auto& [name, place] : places) place.note_differing(differs);
    return differs;
  }

  std::unordered_map<std::string, std::vector<Mark>> of_line_;
  std::set<std::string> counters_;  ///< families whose numbers are counters
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::string> shown_;
  std::vector<std::string_view> origins_;
  std::vector<std::size_t> last_run_;  ///< with the mark; counted from 1
  std::vector<Marks> of_run_;
  std::vector<Marks> text_of_run_;   ///< number of the text of each mark
  std::vector<Marks> pairs_of_run_;  ///< neighbours in a text
  std::size_t texts_read_ = 0;
};

/// The marks as the end of a setting's name, cut after some.
std::string marks_text(const RunMarks& all, const std::vector<std::size_t>& marks) {
  constexpr std::size_t longest = 60;
  std::string text;
  for (const std::size_t mark : marks) {
    std::string plain = plain_name(all.text(mark));
    plain.erase(0, plain.find_first_not_of('-'));
    if (plain.empty()) continue;
    if (!text.empty() && text.size() + plain.size() > longest) break;
    text += "-" + plain;
  }
  return text;
}

/// Names by groups of traits and by marks, each once.
class SettingNames {
 public:
  /// The name of the runs with these marks in this group; `wanted` if it is not taken.
  const std::string& of(std::size_t group, const std::vector<std::size_t>& marks,
                        const std::string& wanted) {
    const auto [place, is_new] = names_.try_emplace({group, marks}, wanted);
    if (is_new && !taken_.insert(wanted).second) {
      place->second += fmt::format("-{}", names_.size());
      taken_.insert(place->second);
    }
    return place->second;
  }

 private:
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::string> names_;
  std::set<std::string> taken_;
};

void add_once(std::vector<std::string>& all, std::string_view one) {
  if (std::ranges::find(all, one) == all.end()) all.emplace_back(one);
}

}  // namespace

RunSettings settings_of(std::span<const FoundRun> runs, const std::string& base, bool by_place) {
  Parting parting(runs, by_place);
  parting.reduce();
  std::map<std::vector<std::string>, std::size_t> numbers;
  std::vector<std::size_t> groups;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    groups.push_back(numbers.try_emplace(parting.values(run), numbers.size()).first->second);
  }
  RunMarks all(runs, by_place);
  const auto marks = all.differing(parting.points(), groups);
  RunSettings settings;
  for (const std::string& name : parting.names()) {
    add_once(settings.differences, name.starts_with(folder_key) ? folder_key : name);
  }
  SettingNames names;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    settings.names.push_back(
        names.of(groups[run], marks[run], base + parting.text(run) + marks_text(all, marks[run])));
    for (const std::size_t mark : marks[run]) add_once(settings.differences, all.origin(mark));
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
