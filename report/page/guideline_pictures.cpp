#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/screens/answers.hpp"
#include "report/table.hpp"

namespace hockney::report {

using verdicts::GuidelineVerdict;
namespace {

using Json = nlohmann::json;
using SomeVerdicts = std::vector<const GuidelineVerdict*>;

constexpr std::size_t most_pictured_places = 4;

// "allgather <= gather + bcast" below each other.
constexpr const char* two_lines =
    "indexof(datum.label, ' <= ') < 0 ? datum.label"
    " : [split(datum.label, ' <= ')[0], '<= ' + split(datum.label, ' <= ')[1]]";

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

PageTable table_of(const SomeVerdicts& verdicts) {
  PageTable table{{{"guideline", "guideline"},
                   {"bytes", "size"},
                   {"verdict", "verdict"},
                   {"times as long", "ratio"},
                   {"from", "ratio_low"},
                   {"to", "ratio_high"},
                   {"left", "left_seconds"},
                   {"right", "right_seconds"}},
                  {}};
  for (const GuidelineVerdict* const one : verdicts) {
    table.rows.push_back({one->cell.guideline.name, format_bytes(one->cell.left.bytes),
                          std::string(word(one->verdict)), number_on_page(one->ratio, 3),
                          number_on_page(end_of(one->interval(), &Interval::low), 3),
                          number_on_page(end_of(one->interval(), &Interval::high), 3),
                          time_on_page(one->left.median_seconds),
                          time_on_page(one->cell.factor * one->right.median_seconds)});
  }
  return table;
}

/// Of violated ones; 0 where none is.
double worst_ratio(const SomeVerdicts& verdicts) {
  double worst = 0;
  for (const GuidelineVerdict* const one : verdicts) {
    if (one->verdict == verdicts::Compliance::violated) worst = std::max(worst, one->ratio);
  }
  return worst;
}

/// Violated ones first, the worst before all.
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

Json verdict_channel(std::vector<std::string> range) {
  return {{"field", "verdict"},
          {"type", "nominal"},
          {"scale", {{"domain", valid_words<verdicts::Compliance>()}, {"range", std::move(range)}}},
          {"legend", {{"title", nullptr}}}};
}

Json layers_of(const SomeVerdicts& verdicts) {
  Json x = name_channel("size", "message size [B]", sizes_of(verdicts));
  x["axis"]["labelAngle"] = 0;
  Json y = name_channel("guideline", "", names_of(verdicts));
  y["axis"] = {{"title", nullptr},
               {"labelLimit", 230},
               {"grid", true},
               {"labelExpr", two_lines},
               {"labelOffset", -6}};
  return Json::array(
      {{{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 110}, {"opacity", 1}}},
        {"encoding",
         telling({{"x", x},
                  {"y", y},
                  {"color", verdict_channel({"var(--bad)", "var(--good)", "var(--open)"})},
                  {"shape", verdict_channel({"triangle-up", "circle", "cross"})}})}},
       {{"transform", Json::array({{{"filter", "datum.verdict == 'violated'"}}})},
        {"mark", {{"type", "text"}, {"align", "left"}, {"dx", 8}, {"fontWeight", "bold"}}},
        {"encoding", {{"x", x}, {"y", y}, {"text", {{"field", "words"}, {"type", "nominal"}}}}}}});
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
  std::string text = place + ": " + std::to_string(violated) + " of " +
                     count_text(verdicts.size(), "case") + " violated";
  if (worst == nullptr) return text;
  return text + ", most " + inert(worst->cell.guideline.name) + " at " +
         format_bytes(worst->cell.left.bytes) + ": " + significant(worst->ratio, 2) +
         " times as long as the right side";
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
                    .caption =
                        "A guideline is violated where its left side takes longer than its "
                        "right side, which does the same work; the number: how many times "
                        "as long.",
                    .table = table_of(verdicts),
                    .launches = source.launches,
                    .command = "hockney guidelines " + source.paths + " --all"};
    Json values = values_of(picture.table);
    for (Json& value : values) value["words"] = significant(value.at("ratio").get<double>(), 2);
    const int height = 60 + static_cast<int>(names_of(verdicts).size()) * 34;
    picture.plot = plot_of(picture.title, std::move(values), layers_of(verdicts), height);
    pictures.push_back(std::move(picture));
  }
  if (places.size() > pictures.size()) {
    pictures.back().caption += " " + std::to_string(places.size() - pictures.size()) +
                               " more places have no picture; the command below has them.";
  }
  return pictures;
}

}  // namespace hockney::report
