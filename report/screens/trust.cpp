#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cpu_sharing.hpp"
#include "core/faults.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/screens/answers.hpp"
#include "report/table.hpp"
#include "verdicts/launch_modes.hpp"

namespace hockney::report {
namespace {

constexpr double close_interval = 0.05;  // half its width, in parts of the median
constexpr double good_part = 0.9;        // of the intervals that are close
constexpr double fair_part = 0.5;

bool is_close(const Interval& interval, double median) {
  return (interval.high - interval.low) / 2 <= close_interval * median;
}

std::string noise_words(std::span<const Row> rows) {
  int blocks = 0;
  int undisturbed = 0;
  for (const Row& row : rows) {
    blocks += row.blocks - row.warm_up_blocks;
    undisturbed += row.undisturbed_blocks;
  }
  if (blocks <= undisturbed) return {};
  const double part = static_cast<double>(blocks - undisturbed) / blocks;
  return "; " + format_fraction(part) + " of the blocks disturbed by others (left out)";
}

/// The variables of the environment that the settings of a campaign vary. Launchers set others,
/// which nobody asked for.
std::set<std::string> varied_variables(std::span<const Record> records) {
  std::map<std::string, std::set<std::string>> values;
  std::map<std::string, std::size_t> launches;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      values[setting.variable].insert(setting.requested);
      ++launches[setting.variable];
    }
  }
  std::set<std::string> varied;
  for (const auto& [variable, texts] : values) {
    if (texts.size() > 1 || launches[variable] < records.size()) varied.insert(variable);
  }
  return varied;
}

/// What became of what launches asked for.
struct AskedNames {
  Names ignored;
  Names unproven;
  std::string reason;  ///< of an unproven one
  bool any_proven = false;

  /// What is varied counts; what was ignored counts in any case.
  void add(const RequestedSetting& setting, bool is_varied) {
    const std::string text = setting.variable + "=" + setting.requested;
    if (setting.proof == Proof::ignored) ignored.add(text);
    if (!is_varied) return;
    any_proven = any_proven || setting.proof == Proof::proven;
    if (setting.proof != Proof::unproven) return;
    unproven.add(text);
    reason = setting.reason;
  }
};

/// What the settings asked the MPI library for, and what became of it.
Lines settings_words(std::span<const Record> records) {
  const std::set<std::string> varied = varied_variables(records);
  AskedNames names;
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      names.add(setting, varied.contains(setting.variable));
    }
  }
  Lines lines;
  if (!names.ignored.empty()) {
    lines.push_back("the MPI library ignored " + names.ignored.text());
  } else if (names.any_proven && names.unproven.empty()) {
    lines.emplace_back("every setting is proven to be in force");
  }
  if (names.unproven.empty()) return lines;
  const std::string reason = names.reason.empty() ? "" : " (" + inert(names.reason) + ")";
  lines.push_back((names.any_proven ? "not proven to be in force: "
                                    : "no setting could be proven to be in force: ") +
                  names.unproven.text() + reason);
  return lines;
}

/// Where another algorithm ran than was asked for, and where nobody can tell.
Lines algorithm_words(std::span<const Record> records) {
  Names others;
  Names unknown;
  bool any = false;
  for (const Record& record : records) {
    for (const AlgorithmUse& use : record.algorithms) {
      any = true;
      const std::string place = use.operation + " " + use.requested;
      if (use.proof == Proof::unproven) unknown.add(place);
      if (use.proof != Proof::ignored) continue;
      others.add(place + " at " + format_bytes(use.bytes) + " (" + use.ran.value_or("another") +
                 " ran)");
    }
  }
  Lines lines;
  if (!others.empty()) lines.push_back("algorithms ran as asked for but " + others.text(2));
  if (!unknown.empty())
    lines.push_back("which algorithm ran could not be told of " + unknown.text());
  if (any && lines.empty()) lines.emplace_back("every algorithm ran as asked for (proven)");
  return lines;
}

/// Where ranks may use different numbers of CPUs: times of their pairs differ for that alone.
Lines binding_words(std::span<const Record> records) {
  std::set<std::size_t> counts;
  bool is_uneven = false;
  for (const Record& record : records) {
    std::set<std::size_t> own;
    for (const RankPlace& rank : record.ranks) own.insert(rank.actual_cpus.size());
    own.erase(0);  // of simulated ranks
    if (own.size() < 2) continue;
    is_uneven = true;
    counts.merge(own);
  }
  if (!is_uneven) return {};
  return {"some ranks may use " + count_text(*counts.begin(), "CPU") + ", others " +
          std::to_string(*counts.rbegin()) +
          ", which alone makes pairs differ: bind them, or give all as many"};
}

/// Faults that the MPI library reported although its launch ended well.
Lines library_words(std::span<const Record> records) {
  Names messages;
  std::size_t launches = 0;
  for (const Record& record : records) {
    const std::vector<std::string>& reported = record.provenance.mpi.messages;
    for (const std::string& message : reported) messages.add(message);
    launches += reported.empty() ? 0U : 1U;
  }
  if (messages.empty()) return {};
  return {"the MPI library reported in " + std::to_string(launches) + " of " +
          count_text(records.size(), "launch") + ": " + messages.text(2)};
}

}  // namespace

Lines oversubscription_words(std::span<const Record> records) {
  std::string text = oversubscription_text(records);
  return text.empty() ? Lines{} : Lines{std::move(text)};
}

std::string interval_words(std::span<const Row> rows) {
  std::size_t measured = 0;
  std::size_t with_interval = 0;
  std::size_t close = 0;
  std::size_t most_launches = 0;
  for (const Row& row : rows) {
    if (!row.median_seconds) continue;
    ++measured;
    most_launches = std::max(most_launches, row.launches.size());
    if (!row.interval_seconds) continue;
    ++with_interval;
    if (is_close(*row.interval_seconds, *row.median_seconds)) ++close;
  }
  if (measured == 0) return "nothing was measured";
  if (with_interval == 0) {
    return "no interval: " + count_text(most_launches, "launch") + ", " +
           std::to_string(samples_for_interval()) + " needed";
  }
  const double part = static_cast<double>(close) / static_cast<double>(measured);
  const std::string word = part >= good_part ? "good" : part >= fair_part ? "fair" : "poor";
  return word + ": intervals within " + format_fraction(close_interval) + " at " +
         std::to_string(close) + " of " + count_text(measured, "point");
}

namespace {

/// A row whose launches lie in two modes.
struct ModedRow {
  const Row* row = nullptr;
  verdicts::LaunchModes modes;

  [[nodiscard]] double ratio() const { return modes.high_seconds / modes.low_seconds; }
  [[nodiscard]] std::set<std::size_t> high() const {
    std::set<std::size_t> launches;
    for (std::size_t i = 0; i < row->launches.size(); ++i) {
      if (modes.is_high[i]) launches.insert(row->launches[i].launch);
    }
    return launches;
  }
};

std::vector<ModedRow> moded_rows(std::span<const Row> rows) {
  std::vector<std::vector<double>> points;
  for (const Row& row : rows) points.push_back(seconds_of(row.launches));
  const auto found = verdicts::find_modes(points);
  std::vector<ModedRow> moded;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (found[i]) moded.push_back({.row = &rows[i], .modes = *found[i]});
  }
  return moded;
}

bool has_other_setting(std::span<const Row> rows, const Row& one) {
  return std::ranges::any_of(rows, [&](const Row& row) { return row.setting != one.setting; });
}

/// "0.100 us in 3 launches, 0.350 us in 7".
std::string text_of(const verdicts::LaunchModes& modes) {
  return short_time(modes.low_seconds) + " in " + count_text(modes.low_launches(), "launch") +
         ", " + short_time(modes.high_seconds) + " in " + std::to_string(modes.high_launches());
}

}  // namespace

Lines mode_words(std::span<const Row> rows) {
  const std::vector<ModedRow> moded = moded_rows(rows);
  if (moded.empty()) return {};
  const ModedRow& widest = *std::ranges::max_element(moded, {}, &ModedRow::ratio);
  std::string text = "two modes: " + text_of(widest.modes);
  if (rows.size() == 1) return {text};
  const bool is_told = has_other_setting(rows, *widest.row);
  text += " (" + inert(widest.row->point.operation) + " at " +
          format_bytes(widest.row->point.bytes) +
          (is_told ? ", setting " + inert(widest.row->setting) : "") + "; at " +
          std::to_string(moded.size()) + " of " + count_text(rows.size(), "point");
  const auto has_same = [&](const ModedRow& one) { return one.high() == widest.high(); };
  if (moded.size() > 1 && std::ranges::all_of(moded, has_same)) text += ", in the same launches";
  return {text + ")"};
}

Lines trust_in(std::span<const Record> records, std::span<const Row> rows) {
  Lines lines = oversubscription_words(records);
  std::ranges::move(mode_words(rows), std::back_inserter(lines));
  lines.push_back(interval_words(rows) + noise_words(rows));
  const auto is_missing = [](const Row& row) {
    return !row.median_seconds && !is_fault(row.reason);  // faults stand before everything else
  };
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(rows, is_missing));
  if (missing > 0 && missing < rows.size()) {
    lines.push_back(count_text(missing, "point") +
                    " not measured: " + inert(std::ranges::find_if(rows, is_missing)->reason));
  }
  std::ranges::move(library_words(records), std::back_inserter(lines));
  std::ranges::move(binding_words(records), std::back_inserter(lines));
  std::ranges::move(settings_words(records), std::back_inserter(lines));
  std::ranges::move(algorithm_words(records), std::back_inserter(lines));
  return lines;
}

}  // namespace hockney::report
