#pragma once

#include <vector>

#include "core/statistics.hpp"

namespace hockney {

/// A moment at which a campaign looks whether its intervals are narrow enough to stop.
struct Look {
  int launches = 0;  ///< of each setting, made by then
  double level = 0;  ///< of the intervals it looks at

  friend bool operator==(const Look&, const Look&) = default;
};

/// Whoever looks again and again and stops when pleased is wrong more often than the level of one
/// interval says. So the 5 % that an interval may miss the truth are spent over all looks: each is
/// given an equal share and what earlier ones left of theirs, and takes the part of it that an
/// exact order-statistic interval can use. Whichever look ends the campaign, its intervals hold
/// each median with at least 95 % (the union bound). Looks are at 8, 10, 14, 20, 30 launches, from
/// there on 1.4 times as many each time, and at `most`, but not where the share is too small for an
/// interval of so few; fewer than 8 are looked at once.
class Looks {
 public:
  explicit Looks(int most, double level = default_level);

  [[nodiscard]] const std::vector<Look>& all() const { return looks_; }
  [[nodiscard]] const Look& first() const { return looks_.front(); }
  /// The look at exactly so many launches; null when there is none.
  [[nodiscard]] const Look* at(int launches) const;
  /// The first look at more launches; null after the last.
  [[nodiscard]] const Look* after(int launches) const;

 private:
  std::vector<Look> looks_;
};

}  // namespace hockney
