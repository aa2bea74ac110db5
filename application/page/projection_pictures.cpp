#include <algorithm>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using projection::Effect;
using projection::Projection;
using Json = nlohmann::json;

PageTable table_of(const ProjectionView& view) {
  PageTable table{{{"what if", "question"},
                   {"time", "seconds"},
                   {"from", "low_seconds"},
                   {"to", "high_seconds"},
                   {"time / measured", "ratio"},
                   {"effect", "effect"},
                   {"why not", "cannot_tell_because"}},
                  {}};
  for (const Projection& answer : view.answers) {
    const bool is_told = answer.why_not.empty();
    const auto if_told = [&](double seconds) {
      return time_on_page(is_told ? std::optional(seconds) : std::nullopt);
    };
    const double ratio = answer.seconds / view.validation.measured_seconds;
    table.rows.push_back({answer.question, if_told(answer.seconds),
                          if_told(answer.range.low_seconds), if_told(answer.range.high_seconds),
                          number_on_page(is_told ? std::optional(ratio) : std::nullopt, 3),
                          std::string(word(answer.effect)),
                          is_told ? PageCell("-", nullptr) : PageCell(answer.why_not)});
  }
  return table;
}

/// "11.6 s (11.1 .. 12.2), faster", or why there is no time.
std::string words_of(const Projection& answer) {
  if (!answer.why_not.empty()) return "cannot tell: " + answer.why_not;
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  return short_time(answer.seconds, range) + ", " + std::string(word(answer.effect));
}

/// The change that saves most, if any does.
std::string title_of(const ProjectionView& view) {
  const Projection* best = nullptr;
  for (const Projection& answer : view.answers) {
    if (!answer.why_not.empty() || answer.effect != Effect::faster) continue;
    if (best == nullptr || answer.seconds < best->seconds) best = &answer;
  }
  const double measured = view.validation.measured_seconds;
  if (best == nullptr) {
    return "Nothing that was asked is sure to make it faster than " + short_time(measured);
  }
  return "Of " + short_time(measured) + " most is saved by: " + inert(best->question) + ", " +
         words_of(*best);
}

Json line_at(double seconds, const std::string& name, const Json& x) {
  const Json values = Json::array({{{"seconds", seconds}, {"says", name}}});
  return over(values, {{"mark",
                        {{"type", "rule"},
                         {"strokeWidth", 1.5},
                         {"strokeDash", Json::array({4, 4})},
                         {"color", "var(--soft)"}}},
                       {"encoding", telling({{"x", x}})}});
}

/// Words for every row stand above the range of those that have one.
Json layers_of(const ProjectionView& view, const Json& values) {
  Json y = name_channel("question", "", names_in(values, "question"));
  y["axis"] = {{"title", nullptr}, {"labelLimit", 330}, {"grid", true}};
  const auto x = [](const char* key) { return even_time_channel(key, "time of the run"); };
  const double measured = view.validation.measured_seconds;
  const Json told = Json::array({{{"filter", "isValid(datum.seconds)"}}});
  const Json range{{"type", "rule"}, {"strokeWidth", 5}, {"color", "var(--series-1)"}};
  const Json point{{"type", "point"},
                   {"filled", true},
                   {"size", 90},
                   {"opacity", 1},
                   {"color", "var(--series-1)"}};
  const Json words{{"type", "text"}, {"align", "left"}, {"dy", -14}, {"limit", 500}};
  return Json::array(
      {line_at(measured, "measured: " + short_time(measured), x("seconds")),
       {{"transform", told},
        {"mark", range},
        {"encoding", {{"y", y}, {"x", x("low_seconds")}, {"x2", {{"field", "high_seconds"}}}}}},
       {{"transform", told},
        {"mark", point},
        {"encoding", telling({{"y", y}, {"x", x("seconds")}})}},
       {{"name", "rows"},
        {"mark", words},
        {"encoding", telling({{"y", y},
                              {"x", {{"value", 8}}},
                              {"text", {{"field", "words"}, {"type", "nominal"}}}})}}});
}

}  // namespace

std::vector<Picture> answer_pictures(const ProjectionView& view, const ProgramSource& source) {
  if (view.answers.empty()) return {};
  Picture picture{.id = "what-if",
                  .title = title_of(view),
                  .caption =
                      "Dots: the time of the run if it were so; bars: the range of it, in which "
                      "everything lies that the models leave open. Dashed: measured.",
                  .table = table_of(view),
                  .launches = source.launches,
                  .command = source.command};
  Json values = values_of(picture.table);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i]["words"] = inert(words_of(view.answers[i]));
  Json layers = layers_of(view, values);
  picture.plot = plot_of(picture.title, std::move(values), std::move(layers),
                         70 + 52 * static_cast<int>(view.answers.size()));
  return {std::move(picture)};
}

}  // namespace hockney::report
