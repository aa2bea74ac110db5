#include "driver/campaign/crashing_points.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "core/death_notice.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/campaign/failure_cause.hpp"

namespace hockney::campaign {
namespace {

constexpr std::size_t most_choices = 5;
constexpr int deaths_of_point = 2;
constexpr int deaths_of_curve = 3;

/// The point's curve among all pairs of ranks, from its size on.
PointChoice curve_from(PointChoice point) {
  point.and_larger = true;
  std::erase_if(point.words, [](const std::string& word) { return word.starts_with("pair="); });
  return point;
}

/// Deaths at one point or in one curve.
struct Deaths {
  PointChoice choice;  ///< of a curve: from the smallest size
  int launches = 0;
  std::set<std::string> points;

  void add(const PointChoice& where, const PointChoice& point) {
    if (launches == 0 || where.bytes < choice.bytes) choice = where;
    ++launches;
    points.insert(point.text());
  }
  /// The choice, and why.
  [[nodiscard]] PointChoice left_out() const {
    PointChoice left_out = choice;
    left_out.reason += fmt::format(", left out after {} launches", launches);
    return left_out;
  }
};

/// Whether the choice leaves out the point at which a launch died.
bool covers(const PointChoice& choice, const PointChoice& point) {
  if (!choice.and_larger) return choice.text() == point.text();
  const PointChoice curve = curve_from(point);
  return choice.operation == curve.operation && choice.words == curve.words &&
         choice.bytes <= curve.bytes;
}

std::string under_way(const Attempt& attempt) {
  if (!attempt.remains) return "";
  try {
    return load_record(*attempt.remains).under_way;
  } catch (const InputError&) {
    return "";
  }
}

}  // namespace

std::string where_it_died(const Attempt& attempt) {
  PointChoice choice;
  if (const auto death = death_in(log_text(attempt.log))) {
    choice = parse_point_choice(death->point);
    choice.reason = death->signal + (death->library.empty() ? "" : " in " + death->library);
  } else {
    const std::string point = under_way(attempt);
    if (point.empty()) return "";
    choice = parse_point_choice(point);
    choice.reason = attempt.reason;
  }
  return text_of({choice});
}

std::vector<PointChoice> crashing_points(const Manifest& manifest, const std::string& setting) {
  std::map<std::string, Deaths> points;
  std::map<std::string, Deaths> curves;
  for (const Attempt& attempt : manifest.attempts) {
    if (attempt.setting != setting || attempt.died_at.empty()) continue;
    const PointChoice point = parse_point_choice(attempt.died_at);
    const PointChoice curve = curve_from(point);
    points[point.text()].add(point, point);
    curves[curve.operation + ' ' + join(curve.words, " ")].add(curve, point);
  }
  std::vector<PointChoice> left_out;
  for (const auto& [text, deaths] : curves) {
    if (deaths.launches < deaths_of_curve || deaths.points.size() < 2) continue;
    left_out.push_back(deaths.left_out());
    for (const std::string& point : deaths.points) points.erase(point);
  }
  for (const auto& [text, deaths] : points) {
    if (deaths.launches >= deaths_of_point) left_out.push_back(deaths.left_out());
  }
  return left_out;
}

bool is_fixed(const Manifest& manifest, const Attempt& attempt) {
  if (attempt.died_at.empty()) return false;
  const std::vector<PointChoice> left_out = crashing_points(manifest, attempt.setting);
  if (left_out.size() > most_choices) return false;
  const PointChoice point = parse_point_choice(attempt.died_at);
  return std::ranges::any_of(left_out,
                             [&](const PointChoice& choice) { return covers(choice, point); });
}

std::vector<std::string> what_was_left_out(const Manifest& manifest) {
  std::vector<std::string> lines;
  for (const Setting& setting : manifest.config.settings) {
    const bool is_only = manifest.config.settings.size() == 1;
    for (const PointChoice& choice : crashing_points(manifest, setting.name)) {
      const std::string owner = is_only ? "" : fmt::format(" of '{}'", setting.name);
      lines.push_back(fmt::format("{}{}: {}", choice.text(), owner, choice.reason));
    }
  }
  return lines;
}

}  // namespace hockney::campaign
