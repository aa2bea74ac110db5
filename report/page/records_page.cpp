#include "report/page/records_page.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/curve_tables.hpp"
#include "report/page/plot.hpp"
#include "report/screens/answers.hpp"
#include "report/table.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/tables/verdict_tables.hpp"

namespace hockney::report {

using verdicts::CompareSet;
namespace {

/// Sentences of this page.
namespace words {

constexpr std::string_view drawn_settings =
    " Drawn are {} of {}: {}, those that are best at some size, then the fastest.";
constexpr std::string_view measured_apart =
    "measured apart, so drift of the machine is part of the difference; settings of one campaign "
    "take turns";
constexpr std::string_view median_of_box = "{}: median {}, quartiles {} and {} of it, {}";
constexpr std::string_view spread_of_one = "The middle half of the launches spreads by {}";
constexpr std::string_view spread_of_boxes = "The middle half of the launches spreads by {}, by {}";
constexpr std::string_view drawn_launches = " Of {} launches {} are drawn, at even ranks.";
constexpr std::string_view none_violated = "{}: 0 of {} violated";
constexpr std::string_view violated =
    "{}: {} of {} violated, most {} at {}: {} times as long as the right side";
constexpr std::string_view more_places =
    " {} more places have no picture; the command below prints all.";

}  // namespace words

std::set<std::string> settings_in(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    settings.insert(record.campaign ? record.campaign->setting : std::string());
  }
  return settings;
}

std::string names_of(const RecordFolders& folders) { return inert(join(folders.names(), " ")); }

std::string title_of(std::span<const Record> records, const std::string& names) {
  Names campaigns;
  for (const Record& record : records) {
    if (record.campaign && !record.campaign->name.empty()) campaigns.add(record.campaign->name);
  }
  return campaigns.empty() ? names : campaigns.text();
}

void append(std::vector<Picture>& pictures, std::vector<Picture> more) {
  std::ranges::move(more, std::back_inserter(pictures));
}

PictureSource source_of(std::span<const Record> records, const std::string& names) {
  const auto is_complete = [](const Record& record) {
    return record.status == LaunchStatus::complete;
  };
  const auto complete = static_cast<std::size_t>(std::ranges::count_if(records, is_complete));
  return {.paths = names,
          .launches = fmt::format("{} of {}", count_text(complete, "launch"), names)};
}

void add_comparisons(Page& page, const std::vector<CompareSet>& sets, const PictureSource& source) {
  for (const CompareSet& set : sets) {
    const std::string command =
        fmt::format("hockney compare {} {} --all", inert(shell_word(set.a.source)),
                    inert(shell_word(set.b.source)));
    append(page.pictures, setting_pictures(settings_matrices(set), source, command));
    const std::string number =
        sets.size() == 1 ? "" : fmt::format("-{}", page.documents.size() + 1);
    page.documents.push_back({"compare" + number, to_json(set)});
  }
}

/// The short name of a setting; escaped.
std::string name_of(const SettingsMatrix& matrix, const std::string& setting) {
  const auto found = std::ranges::find(matrix.rows, setting, &SettingRow::setting);
  return inert(found == matrix.rows.end() ? setting : found->name);
}

/// If there are too many settings for one plot: for each matrix the curves of its best ones.
void add_shown_curves(Page& page, Evaluation& records, std::span<const SettingsMatrix> matrices,
                      const PictureSource& source) {
  const std::vector<Row>& rows = records.own_rows();
  for (const SettingsMatrix& matrix : matrices.first(std::min(matrices.size(), most_matrices))) {
    const std::vector<Row> shown = shown_rows(matrix, rows);
    std::vector<CurveSummary> curves = curve_summaries(shown, records);
    for (CurveSummary& curve : curves) curve.label = name_of(matrix, curve.row->setting);
    std::vector<Picture> pictures = curve_pictures(curves, rows, records.records(), source);
    if (pictures.empty()) continue;
    Picture& time = pictures.front();
    time.title = fmt::format("{} by setting{}", inert(matrix.name),
                             time.title.substr(time.title.find(": ")));
    time.plot["description"] = time.title;
    time.caption +=
        fmt::format(words::drawn_settings, shown_rows(matrix).size(),
                    count_text(matrix.rows.size(), "setting"), inert(matrix.rows.front().name));
    page.pictures.push_back(std::move(time));
  }
}

/// Pictures of curves, pairs, paths and launches.
void add_curves(Page& page, Evaluation& records, std::span<const SettingsMatrix> matrices,
                const PictureSource& source) {
  const std::vector<Row>& own = records.own_rows();
  std::vector<Row> shown;
  if (settings_in(records.records()).size() <= most_series) {
    std::span<const CurveSummary> curves;
    if (!own.empty()) curves = records.curves();
    append(page.pictures, curve_pictures(curves, records.rows(), records.records(), source));
  } else {
    add_shown_curves(page, records, matrices, source);
    for (const SettingsMatrix& matrix : matrices) {
      for (Row& row : shown_rows(matrix, own)) {
        row.setting = name_of(matrix, row.setting);
        row.point.algorithm.reset();
        shown.push_back(std::move(row));
      }
    }
  }
  append(page.pictures, path_pictures(path_rows(records.rows()).compared, source));
  append(page.pictures, pair_pictures(own, records.records(), source));
  append(page.pictures, launch_pictures(shown.empty() ? own : shown, source));
}

/// The records of all folders. Sets `ends`, where those of each folder end.
std::vector<Record> in_one_piece(std::vector<NamedRecords> folders,
                                 std::vector<std::size_t>& ends) {
  std::vector<Record> records;
  for (NamedRecords& folder : folders) {
    if (records.empty()) {
      records = std::move(folder.records);
    } else {
      std::ranges::move(folder.records, std::back_inserter(records));
    }
    ends.push_back(records.size());
  }
  return records;
}

}  // namespace

RecordFolders::RecordFolders(std::vector<NamedRecords> folders, double level)
    : names_(strings_of(folders, &NamedRecords::name)),
      records_(in_one_piece(std::move(folders), ends_)),
      all_(records_, level) {}

RecordFolders::RecordFolders(std::string name, std::vector<Record> records, double level)
    : names_{std::move(name)},
      ends_{records.size()},
      records_(std::move(records)),
      all_(records_, level) {}

std::span<const Record> RecordFolders::records_of(std::size_t folder) const {
  const std::size_t first = folder == 0 ? 0 : ends_[folder - 1];
  return std::span(records_).subspan(first, ends_[folder] - first);
}

std::vector<CompareSet> RecordFolders::compared() const {
  std::vector<CompareSet> sets;
  for (std::size_t folder = 0; folder < names_.size(); ++folder) {
    if (names_.size() < 2 || settings_in(records_of(folder)).size() != 1) return {};
  }
  for (std::size_t folder = 1; folder < names_.size(); ++folder) {
    CompareSet set = verdicts::compare(records_of(0), records_of(folder));
    if (set.comparisons.empty()) continue;
    set.a.source = names_.front();
    set.b.source = names_[folder];
    sets.push_back(std::move(set));
  }
  return sets;
}

const std::vector<CompareSet>& RecordFolders::comparisons() {
  if (!comparisons_) comparisons_ = compared();
  return *comparisons_;
}

std::vector<Record> RecordFolders::told_apart() const {
  std::vector<Record> records = records_;
  for (std::size_t folder = 0, i = 0; folder < names_.size(); ++folder) {
    for (; i < ends_[folder]; ++i) {
      CampaignPlace place = records[i].campaign.value_or(CampaignPlace());
      place.setting = names_[folder];
      records[i].campaign = std::move(place);
    }
  }
  return records;
}

Evaluation& RecordFolders::shown() {
  if (comparisons().empty()) return all_;
  if (!apart_) {
    told_apart_ = told_apart();
    apart_.emplace(told_apart_, all_.level());
  }
  return *apart_;
}

Screen screen_of(RecordFolders& folders, const ScreenStyle& style) {
  const std::vector<CompareSet>& sets = folders.comparisons();
  Evaluation& evaluation = folders.shown();
  if (sets.empty()) return screen_of(evaluation, style);
  const std::span<const Record> records = evaluation.records();
  Screen screen{.faults = fault_lines(evaluation.faults()),
                .header = header_of(records),
                .answer = {},
                .verdict = {},
                .reliability = reliability_of(records, evaluation.rows()),
                .next = {}};
  for (const CompareSet& set : sets) {
    const Lines lines = settings_answer(settings_matrices(set));
    screen.answer.insert(screen.answer.end(), lines.begin(), lines.end());
  }
  screen.reliability.emplace_back(words::measured_apart);
  return screen;
}

Page page_of(RecordFolders& folders, const collectives::Fits& fits) {
  const std::string names = names_of(folders);
  const std::vector<CompareSet>& sets = folders.comparisons();
  Evaluation& evaluation = folders.shown();
  const std::span<const Record> records = evaluation.records();
  const PictureSource source = source_of(records, names);
  Page page{.title = title_of(records, names),
            .screen = screen_of(folders),
            .pictures = {},
            .documents = {},
            .made_by = fmt::format("hockney report {} -o page.html", names)};
  if (page.screen.verdict.empty() && !page.screen.answer.empty()) {
    page.screen.verdict = page.screen.answer.front();
  }
  add_comparisons(page, sets, source);
  if (const verdicts::GuidelineSet& set = evaluation.guidelines(); !set.verdicts.empty()) {
    const std::vector<verdicts::Violation> violations = find_violations(set, records);
    const GuidelineReport report{.set = set, .violations = violations, .known = {}};
    append(page.pictures, guideline_pictures(report, source));
    page.documents.push_back({"guidelines", to_json(report)});
    number_ids(page.pictures);
    return page;
  }
  append(page.pictures, protocol_pictures(records, source));
  std::span<const SettingsMatrix> matrices;
  if (sets.empty() && settings_in(records).size() > 1) {
    matrices = evaluation.matrices();
    append(page.pictures,
           setting_pictures(matrices, source, fmt::format("hockney report {} --all", names)));
    append(page.pictures, sweep_pictures(records, source));
  }
  append(page.pictures, collective_pictures(fits, source));
  add_curves(page, evaluation, matrices, source);
  number_ids(page.pictures);
  return page;
}

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_boxes = 12;
constexpr std::size_t most_dots = 60;  // of a box

/// The launches of one point.
struct LaunchBox {
  std::string name;  ///< inert
  const Row* row = nullptr;
  double median_seconds = 0;
};

/// The first, a middle and the last size of each curve, up to most_boxes.
std::vector<LaunchBox> boxes_of(std::span<const Row> rows) {
  std::vector<LaunchBox> boxes;
  for (auto first = rows.begin(); first != rows.end();) {
    const auto last = std::find_if_not(first, rows.end(),
                                       [&](const Row& row) { return same_curve(*first, row); });
    std::vector<const Row*> some;
    for (auto row = first; row != last; ++row) {
      if (row->launches.size() > 1 && row->median_seconds) some.push_back(&*row);
    }
    first = last;
    if (some.empty()) continue;
    std::vector<const Row*> chosen{some.front(), some[some.size() / 2], some.back()};
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    if (boxes.size() + chosen.size() > most_boxes) break;
    for (const Row* const row : chosen) {
      boxes.push_back({.name = {}, .row = row, .median_seconds = row->median_seconds.value_or(0)});
    }
  }
  return boxes;
}

/// Names with only those words that differ between the curves.
void name_boxes(std::vector<LaunchBox>& boxes) {
  const std::vector<std::string> labels =
      labels_of(strings_of(boxes, [](const LaunchBox& box) { return curve_title(*box.row); }));
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const std::string size = format_bytes(boxes[i].row->point.bytes);
    boxes[i].name = labels[i].empty() ? size : fmt::format("{} at {}", labels[i], size);
  }
}

/// The launches. If there are too many: the fastest, the slowest and others at even ranks between.
std::vector<LaunchMedian> drawn_launches(std::vector<LaunchMedian> launches) {
  if (launches.size() <= most_dots) return launches;
  std::ranges::sort(launches, {}, &LaunchMedian::seconds);
  std::vector<LaunchMedian> some;
  for (std::size_t i = 0; i < most_dots; ++i) {
    some.push_back(launches[i * (launches.size() - 1) / (most_dots - 1)]);
  }
  return some;
}

/// A launch in a box.
struct BoxDot {
  const LaunchBox* box = nullptr;  ///< never null
  LaunchMedian launch;
};

View table_of(const std::vector<LaunchBox>& boxes) {
  std::vector<BoxDot> dots;
  for (const LaunchBox& box : boxes) {
    for (const LaunchMedian& launch : drawn_launches(box.row->launches)) {
      dots.push_back({&box, launch});
    }
  }
  const Columns<BoxDot> columns{
      {{"point", "point"}, [](const BoxDot& dot) { return dot.box->name; }},
      {{"launch", "launch", Unit::count}, [](const BoxDot& dot) { return dot.launch.launch + 1; }},
      {{"seconds", "time", Unit::seconds}, [](const BoxDot& dot) { return dot.launch.seconds; }},
      {{"ratio", "time / median", Unit::number},
       [](const BoxDot& dot) { return dot.launch.seconds / dot.box->median_seconds; }}};
  return make_view(columns, dots);
}

/// The rows with their positions in their boxes.
Json drawn(const View& table) {
  Json values = values_of(table);
  int order = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_same = i > 0 && values[i].at("point") == values[i - 1].at("point");
    order = is_same ? order + 1 : 0;
    values[i]["order"] = order;
  }
  return values;
}

/// Quartiles and ends of a box, as fractions of its median.
struct Quartiles {
  double low = 0;
  double first = 0;
  double third = 0;
  double high = 0;
};

Quartiles quartiles_of(const LaunchBox& box) {
  const std::vector<double> seconds = seconds_of(box.row->launches);
  const auto at = [&](double q) {
    return quantile(seconds, q).value_or(box.median_seconds) / box.median_seconds;
  };
  return {at(0), at(0.25), at(0.75), at(1)};
}

Json boxes_json(const std::vector<LaunchBox>& boxes) {
  Json values = Json::array();
  for (const LaunchBox& box : boxes) {
    const Quartiles some = quartiles_of(box);
    values.push_back(
        {{"point", box.name},
         {"low", some.low},
         {"first", some.first},
         {"third", some.third},
         {"high", some.high},
         {"one", 1},
         {"says", fmt::format(words::median_of_box, box.name, short_time(box.median_seconds),
                              significant(some.first, 3), significant(some.third, 3),
                              count_text(box.row->launches.size(), "launch"))}});
  }
  return values;
}

/// The widest and the narrowest box.
std::string title_of(const std::vector<LaunchBox>& boxes) {
  const auto width = [](const LaunchBox& box) {
    const Quartiles some = quartiles_of(box);
    return some.third - some.first;
  };
  const auto [least, most] = std::ranges::minmax(boxes, {}, width);
  const auto told = [&](const LaunchBox& box) {
    return fmt::format("{} % at {}", significant(per_cent * width(box), 2), box.name);
  };
  return boxes.size() == 1 ? fmt::format(words::spread_of_one, told(least))
                           : fmt::format(words::spread_of_boxes, told(least), told(most));
}

}  // namespace

std::vector<Picture> launch_pictures(std::span<const Row> rows, const PictureSource& source) {
  std::vector<LaunchBox> boxes = boxes_of(rows);
  if (boxes.empty()) return {};
  name_boxes(boxes);
  Picture picture{.id = "launches",
                  .title = title_of(boxes),
                  .table = table_of(boxes),
                  .launches = source.launches,
                  .command = fmt::format("hockney export csv {} --launches", source.paths)};
  std::size_t most = 0;
  for (const LaunchBox& box : boxes) most = std::max(most, box.row->launches.size());
  if (most > most_dots) picture.caption += fmt::format(words::drawn_launches, most, most_dots);
  draw(picture, "launches", drawn(picture.table),
       {{"points", strings_of(boxes, &LaunchBox::name)},
        {"boxes", boxes_json(boxes)},
        {"height", 60 + boxes.size() * 44}});
  return {std::move(picture)};
}

using verdicts::GuidelineVerdict;
namespace {

using SomeVerdicts = std::vector<const GuidelineVerdict*>;

constexpr std::size_t most_pictured_places = 4;

/// By place, in order of appearance.
std::vector<std::pair<std::string, SomeVerdicts>> by_place(const verdicts::GuidelineSet& set) {
  std::vector<std::pair<std::string, SomeVerdicts>> places;
  for (const GuidelineVerdict& verdict : set.verdicts) {
    const std::string place = place_text(verdict.cell);
    auto found = std::ranges::find(places, place, [](const auto& each) { return each.first; });
    if (found == places.end()) found = places.insert(found, {place, {}});
    found->second.push_back(&verdict);
  }
  return places;
}

View table_of(const SomeVerdicts& verdicts) {
  using Row = const GuidelineVerdict*;
  const Columns<Row> columns{
      {{"guideline", "guideline"}, [](Row one) { return one->cell.guideline.name; }},
      {{"size", "bytes"}, [](Row one) { return format_bytes(one->cell.left.bytes); }},
      {{"verdict", "verdict"}, [](Row one) { return one->verdict; }},
      {{"ratio", "times as long", Unit::number}, [](Row one) { return one->ratio; }},
      interval_column<Row>("ratio_ci", Unit::number, [](Row one) { return one->interval(); }),
      {{"left_seconds", "left", Unit::seconds}, [](Row one) { return one->left.median_seconds; }},
      {{"right_seconds", "right", Unit::seconds},
       [](Row one) { return one->cell.factor * one->right.median_seconds; }}};
  return make_view(columns, verdicts);
}

/// The largest ratio of a violated guideline; 0 without one.
double worst_ratio(const SomeVerdicts& verdicts) {
  double worst = 0;
  for (const GuidelineVerdict* const one : verdicts) {
    if (one->verdict == verdicts::Compliance::violated) worst = std::max(worst, one->ratio);
  }
  return worst;
}

/// Names of guidelines: violated ones first, the worst before the others.
std::vector<std::string> names_of(const SomeVerdicts& verdicts) {
  std::map<std::string, double> worst;
  for (const GuidelineVerdict* const one : verdicts) {
    double& ratio = worst[inert(one->cell.guideline.name)];
    if (one->verdict == verdicts::Compliance::violated) ratio = std::max(ratio, one->ratio);
  }
  std::vector<std::string> names;
  names.reserve(worst.size());
  for (const auto& [name, ratio] : worst) names.push_back(name);
  std::ranges::stable_sort(names,
                           [&](const auto& a, const auto& b) { return worst[a] > worst[b]; });
  return names;
}

std::vector<std::string> sizes_of(const SomeVerdicts& verdicts) {
  std::set<Bytes> sizes;
  for (const GuidelineVerdict* const one : verdicts) sizes.insert(one->cell.left.bytes);
  return strings_of(sizes, format_bytes);
}

/// "2 of 60 cases violated, most scan <= exscan + reduce-local at 256K: 2.3 times".
std::string title_of(const SomeVerdicts& verdicts, const std::string& place) {
  const GuidelineVerdict* worst = nullptr;
  std::size_t violated = 0;
  for (const GuidelineVerdict* const one : verdicts) {
    if (one->verdict != verdicts::Compliance::violated) continue;
    ++violated;
    if (worst == nullptr || one->ratio > worst->ratio) worst = one;
  }
  const std::string cases = count_text(verdicts.size(), "case");
  if (worst == nullptr) return fmt::format(words::none_violated, place, cases);
  return fmt::format(words::violated, place, violated, cases, inert(worst->cell.guideline.name),
                     format_bytes(worst->cell.left.bytes), significant(worst->ratio, 2));
}

}  // namespace

std::vector<Picture> guideline_pictures(const GuidelineReport& report,
                                        const PictureSource& source) {
  std::vector<Picture> pictures;
  std::vector<std::pair<std::string, SomeVerdicts>> places = by_place(report.set);
  std::ranges::stable_sort(places, std::greater(),
                           [](const auto& place) { return worst_ratio(place.second); });
  for (const auto& [place, verdicts] : places) {
    if (pictures.size() == most_pictured_places) break;
    Picture picture{.id = id_of("guidelines-" + place),
                    .title = title_of(verdicts, place),
                    .table = table_of(verdicts),
                    .launches = source.launches,
                    .command = fmt::format("hockney guidelines {} --all", source.paths)};
    Json values = values_of(picture.table);
    for (Json& value : values) value["words"] = significant(value.at("ratio").get<double>(), 2);
    const std::vector<std::string> names = names_of(verdicts);
    draw(picture, "guidelines", std::move(values),
         {{"guidelines", names},
          {"sizes", sizes_of(verdicts)},
          {"verdicts", valid_words<verdicts::Compliance>()},
          {"height", 60 + names.size() * 34}});
    pictures.push_back(std::move(picture));
  }
  if (places.size() > pictures.size()) {
    pictures.back().caption += fmt::format(words::more_places, places.size() - pictures.size());
  }
  return pictures;
}

}  // namespace hockney::report
