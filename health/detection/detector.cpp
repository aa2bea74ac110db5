#include "health/detection/detector.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "core/robust.hpp"

namespace hockney::health {
namespace {

void require_positive(const char* name, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw InputError({std::string(name) + " of the detector is " + std::to_string(value),
                    "it is a positive number", "leave it at its default"});
}

void require_finite(double value) {
  if (std::isfinite(value)) return;
  throw InputError({"the logarithm of a night's value is not finite",
                    "only positive numbers have a level", "repair or remove that night"});
}

}  // namespace

Detector::Detector(const DetectorParameters& parameters, Level worse)
    : parameters_(parameters), worse_(worse), baseline_(parameters.baseline) {
  require_positive("clip", parameters.clip);
  require_positive("allowance", parameters.allowance);
  require_positive("threshold", parameters.threshold);
  require_positive("practical floor", parameters.practical);
  require_positive("number of recent nights", static_cast<double>(parameters.recent));
  require_positive("number of nights to adopt", static_cast<double>(parameters.adopt));
}

void Detector::restart() {
  baseline_.clear();
  waiting_.clear();
  recent_.clear();
  enter(Level::unknown);
}

void Detector::enter(Level level) {
  level_ = level;
  rise_ = fall_ = 0;
  if (level == Level::unknown) before_ = 0;
}

NightFinding Detector::observe(const NightInput& night) {
  require_finite(night.log_value);
  if (recent_.size() == parameters_.recent) recent_.erase(recent_.begin());
  recent_.push_back(night.log_value);
  if (!baseline_.ready()) {
    baseline_.add(night.log_value);
    return {};
  }
  const Level last = level_ == Level::unknown ? Level::usual : level_;
  level_ = last;
  const double noise = std::max(baseline_.noise(), night.error);
  const double score = (night.log_value - baseline_.median()) / noise;
  accumulate(whitened(score, night.gap));
  const Level level = judged();
  if (level != last) {
    enter(level);
    waiting_.clear();
  }
  if (level == Level::usual) {
    accept(night.log_value);
  } else {
    adopt_or_wait(night.log_value);
  }
  return {.level = level_, .changed = level_ != last, .adopted = level_ != level, .score = score};
}

/// The part of a score that the night before does not explain.
double Detector::whitened(double score, std::int64_t gap) {
  const double rho = std::pow(baseline_.autocorrelation(), static_cast<double>(gap));
  const double innovation = (score - rho * before_) / std::sqrt(1 - rho * rho);
  before_ = std::clamp(score, -parameters_.clip, parameters_.clip);
  return std::clamp(innovation, -parameters_.clip, parameters_.clip);
}

void Detector::accumulate(double innovation) {
  const double allowance =
      parameters_.allowance + 0.5 / std::sqrt(static_cast<double>(baseline_.nights()));
  rise_ = std::max(0.0, rise_ + innovation - allowance);
  fall_ = std::max(0.0, fall_ - innovation - allowance);
}

/// How far the median of the last nights is from the baseline's [log ratio].
double Detector::recent_shift() const {
  std::vector<double> nights(recent_);
  return quick_median(nights) - baseline_.median();
}

Level Detector::judged() const {
  const double far = std::log1p(parameters_.practical);
  if (level_ == Level::usual) {
    const bool rises = rise_ > parameters_.threshold;
    const bool falls = fall_ > parameters_.threshold;
    if (!rises && !falls) return Level::usual;  // the median is not worth its time on most nights
    const double shift = recent_shift();
    if (rises && shift > far) return Level::higher;
    if (falls && shift < -far) return Level::lower;
    return Level::usual;
  }
  // Half of the floor: a level that lies on the floor itself must not come and go.
  const double away = level_ == Level::higher ? recent_shift() : -recent_shift();
  return away < far / 2 ? Level::usual : level_;
}

void Detector::accept(double log_value) {
  waiting_.push_back(log_value);
  if (waiting_.size() <= parameters_.lag) return;
  baseline_.add(waiting_.front());
  waiting_.erase(waiting_.begin());
}

void Detector::adopt_or_wait(double log_value) {
  if (level_ == worse_) return;
  waiting_.push_back(log_value);
  if (waiting_.size() < std::max(parameters_.adopt, parameters_.baseline.shortest)) return;
  baseline_.clear();
  for (const double night : waiting_) baseline_.add(night);
  waiting_.clear();
  enter(Level::usual);
}

}  // namespace hockney::health
