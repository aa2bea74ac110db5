#include "components/application/analysis/call_loop.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace hockney::applications {
namespace {

constexpr double least_calls_explained =
    0.8;  // of those between the first and the last repeated_calls
constexpr double least_time_explained = 0.5;
constexpr double least_of_run = 0.5;  // of its calls, or of its time
constexpr std::size_t longest_fold = 8;

std::uint64_t mixed(std::uint64_t value) {  // splitmix64 (Steele, Lea, Flood 2014)
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

/// Calls; one may stand for several equal ones in a row.
struct CallSequence {
  std::vector<std::uint32_t> calls;
  std::vector<std::size_t> places;  ///< first call in the original sequence
  std::vector<double> ends;         ///< time until the end of each call, from 0 on [s]

  [[nodiscard]] std::size_t size() const { return calls.size(); }
};

/// Replaces repeats of `length` calls in a row by one copy.
CallSequence folded(const CallSequence& whole, std::size_t length) {
  CallSequence made;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    made.calls.push_back(whole.calls[i]);
    made.places.push_back(whole.places[i]);
    made.ends.push_back(whole.ends[i]);
    const std::size_t size = made.size();
    if (size < 2 * length ||
        !std::equal(made.calls.end() - static_cast<std::ptrdiff_t>(length), made.calls.end(),
                    made.calls.end() - static_cast<std::ptrdiff_t>(2 * length))) {
      continue;
    }
    for (std::size_t k = 1; k <= length; ++k) made.ends[size - length - k] = made.ends[size - k];
    made.calls.resize(size - length);
    made.places.resize(size - length);
    made.ends.resize(size - length);
  }
  return made;
}

/// Adds the distances at which the same k calls occur again most often. False if most occur once:
/// then more calls in a row do not repeat either.
bool add_lags(const std::vector<std::uint64_t>& grams, std::set<std::size_t>& lags) {
  constexpr std::size_t most = 12;
  std::unordered_map<std::uint64_t, std::size_t> last;
  std::unordered_map<std::size_t, std::size_t> counts;
  for (std::size_t i = 0; i < grams.size(); ++i) {
    const auto [found, is_new] = last.try_emplace(grams[i], i);
    if (!is_new) ++counts[i - found->second];
    found->second = i;
  }
  // Calls that a lag may explain if it occurs once in each iteration; the shortest lags first.
  std::vector<std::pair<std::size_t, std::size_t>> unexplained;
  for (const auto& [lag, count] : counts) {
    if (count + 1 < least_iterations || lag > grams.size() / 2) continue;
    unexplained.emplace_back(grams.size() - std::min(grams.size(), count * lag), lag);
  }
  std::ranges::sort(unexplained);
  if (unexplained.size() > most) unexplained.resize(most);
  for (const auto& [calls, lag] : unexplained) lags.insert(lag);
  return 2 * last.size() <= grams.size();
}

/// Lags at which a loop may repeat, ascending.
std::set<std::size_t> lags_of(const std::vector<std::uint32_t>& calls) {
  constexpr std::size_t longest = 32;
  std::vector<std::uint64_t> grams(calls.begin(), calls.end());
  for (std::uint64_t& gram : grams) gram = mixed(gram);
  std::set<std::size_t> lags;
  for (std::size_t length = 1; length <= longest && !grams.empty(); length *= 2) {
    if (!add_lags(grams, lags)) break;
    const std::size_t left = grams.size() > length ? grams.size() - length : 0;
    for (std::size_t i = 0; i < left; ++i) grams[i] = mixed(grams[i] + 3 * grams[i + length]);
    grams.resize(left);
  }
  return lags;
}

/// Calls from `begin` to before `end` that repeat with a period.
struct RepeatedCalls {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The body that explains most at a period.
struct Period {
  std::size_t length = 0;
  std::vector<RepeatedCalls> repeated;
};

double span_seconds(const CallSequence& sequence, std::size_t begin, std::size_t end) {
  return sequence.ends[end - 1] - (begin == 0 ? 0 : sequence.ends[begin - 1]);
}

/// Stretches of the body that explains most calls. Bodies are equal if they have the same calls.
Period period_at(const CallSequence& sequence, std::size_t lag) {
  std::map<std::uint64_t, std::pair<std::size_t, std::vector<RepeatedCalls>>> by_body;
  std::size_t first = lag;  // of the matching calls
  const auto close = [&](std::size_t end) {
    if (end < first + lag) return;
    std::uint64_t body = 0;
    for (std::size_t k = first - lag; k < first; ++k) body += mixed(sequence.calls[k]);
    auto& [calls, repeated] = by_body[body];
    calls += end - (first - lag);
    repeated.push_back({first - lag, end});
  };
  for (std::size_t i = lag; i < sequence.size(); ++i) {
    if (sequence.calls[i] == sequence.calls[i - lag]) continue;
    close(i);
    first = i + 1;
  }
  close(sequence.size());
  if (by_body.empty()) return {};
  auto most =
      std::ranges::max_element(by_body, {}, [](const auto& one) { return one.second.first; });
  return {lag, std::move(most->second.second)};
}

bool explains_most(const CallSequence& sequence, const Period& period) {
  if (period.repeated.empty()) return false;
  const std::size_t begin = period.repeated.front().begin;
  const std::size_t end = period.repeated.back().end;
  std::size_t calls = 0;
  double seconds = 0;
  for (const RepeatedCalls& one : period.repeated) {
    calls += one.end - one.begin;
    seconds += span_seconds(sequence, one.begin, one.end);
  }
  const auto part = [](auto of, auto whole) {
    return whole > 0 ? static_cast<double>(of) / static_cast<double>(whole) : 1;
  };
  const double all = sequence.ends.back();
  const double inside = span_seconds(sequence, begin, end);
  return calls >= least_iterations * period.length &&
         part(calls, end - begin) >= least_calls_explained &&
         part(seconds, inside) >= least_time_explained &&
         (part(end - begin, sequence.size()) >= least_of_run || part(inside, all) >= least_of_run);
}

/// Counts the iterations of a period and finds where each begins.
class IterationCounter {
 public:
  IterationCounter(const CallSequence& sequence, const Period& period)
      : calls_(sequence.calls), period_(period) {
    set_body(period.repeated.front().begin);
  }

  /// Begins of the iterations, and the end of the last, as indices into the sequence.
  std::pair<std::vector<std::size_t>, std::size_t> count() {
    begin_earlier();
    std::size_t end = begins_.empty() ? 0 : first_whole_;
    for (const RepeatedCalls& repeated_calls : period_.repeated) {
      std::size_t next = begin_in(repeated_calls);
      while (next < end) next += period_.length;
      if (next + period_.length > repeated_calls.end) continue;
      if (end > 0) add_irregular(end, next);
      for (; next + period_.length <= repeated_calls.end; next += period_.length)
        begins_.push_back(next);
      end = next;
    }
    return {begins_, end_of_last(end)};
  }

 private:
  void set_body(std::size_t begin) {
    const auto first = calls_.begin() + static_cast<std::ptrdiff_t>(begin);
    body_.assign(first, first + static_cast<std::ptrdiff_t>(period_.length));
    in_body_.clear();
    for (const std::uint32_t call : body_) ++in_body_[call];
  }

  /// The first iteration may lack a call: then the first repeated_calls begins inside of it.
  void begin_earlier() {
    const std::size_t repeated_calls = period_.repeated.front().begin;
    std::size_t begin = repeated_calls;
    const std::size_t farthest =
        repeated_calls > period_.length ? repeated_calls - period_.length : 0;
    while (begin > farthest && in_body_.contains(calls_[begin - 1])) --begin;
    if (begin == repeated_calls) return;
    const auto body = calls_.begin() + static_cast<std::ptrdiff_t>(repeated_calls);
    const auto found =
        std::find(body, body + static_cast<std::ptrdiff_t>(period_.length), calls_[begin]);
    const auto rest = static_cast<std::size_t>(found - body);
    if (rest == 0 || in_body_.at(calls_[begin]) > 1) return;
    if (!is_most_of_body(repeated_calls - begin + rest)) return;
    set_body(repeated_calls + rest);
    first_whole_ = repeated_calls + rest;
    begins_.push_back(begin);
  }

  [[nodiscard]] bool is_most_of_body(std::size_t calls) const {
    return 4 * calls >= 3 * period_.length && calls < period_.length;
  }

  /// Where the first body of a repeated_calls begins.
  [[nodiscard]] std::size_t begin_in(const RepeatedCalls& repeated_calls) const {
    const auto first = calls_.begin() + static_cast<std::ptrdiff_t>(repeated_calls.begin);
    const auto last = calls_.begin() + static_cast<std::ptrdiff_t>(repeated_calls.end);
    const auto found = std::search(first, last, body_.begin(), body_.end());
    return found == last ? repeated_calls.end : static_cast<std::size_t>(found - calls_.begin());
  }

  /// Iterations between two repeated, from how often the calls of the body occur there. Extra
  /// calls without them belong to the iteration before.
  void add_irregular(std::size_t from, std::size_t to) {
    if (from == to) return;
    std::map<std::uint32_t, std::size_t> found;
    for (std::size_t i = from; i < to; ++i) {
      if (in_body_.contains(calls_[i])) ++found[calls_[i]];
    }
    std::vector<std::size_t> times;
    times.reserve(in_body_.size());
    for (const auto& [call, count] : in_body_) times.push_back((found[call] + count / 2) / count);
    std::ranges::sort(times);
    const std::size_t iterations = times[times.size() / 2];
    if (iterations == 0) return;
    if (iterations == 1 && irregular_.size() < most_irregular) {
      irregular_.emplace(calls_.begin() + static_cast<std::ptrdiff_t>(from),
                         calls_.begin() + static_cast<std::ptrdiff_t>(to));
    }
    begins_.push_back(from);
    split(from, to, iterations, found);
  }

  /// Splits irregular iterations behind the call that is last in the body and occurs in each.
  void split(std::size_t begin, std::size_t end, std::size_t iterations,
             const std::map<std::uint32_t, std::size_t>& found) {
    if (iterations == 1) return;
    const auto last = std::find_if(body_.rbegin(), body_.rend(), [&](std::uint32_t call) {
      const auto times = found.find(call);
      return times != found.end() && times->second == iterations * in_body_.at(call);
    });
    std::size_t seen = 0;
    for (std::size_t i = begin, made = 1; made < iterations && i < end; ++i) {
      if (last == body_.rend()) {  // evenly
        if (i != begin + made * (end - begin) / iterations) continue;
        begins_.push_back(i);
      } else {
        if (calls_[i] != *last || ++seen % in_body_.at(*last) != 0) continue;
        begins_.push_back(i + 1);
      }
      ++made;
    }
  }

  /// Behind the last repeated_calls there may be single iterations: regular ones, and irregular
  /// ones as they were between repeated. The last may lack a call: it still ends as all others do.
  std::size_t end_of_last(std::size_t end) {
    for (std::size_t calls = calls_at(end); calls > 0; calls = calls_at(end)) {
      begins_.push_back(end);
      end += calls;
    }
    const std::size_t farthest = std::min(calls_.size(), end + period_.length);
    std::size_t last = end;
    while (last < farthest && in_body_.contains(calls_[last])) ++last;
    while (last > end && calls_[last - 1] != body_.back()) --last;
    if (!is_most_of_body(last - end)) return end;
    begins_.push_back(end);
    return last;
  }

  /// Calls of the known iteration that begins at a place; 0 if there is none.
  [[nodiscard]] std::size_t calls_at(std::size_t place) const {
    const auto is_here = [&](const std::vector<std::uint32_t>& calls) {
      return calls.size() <= calls_.size() - place &&
             std::equal(calls.begin(), calls.end(),
                        calls_.begin() + static_cast<std::ptrdiff_t>(place));
    };
    if (is_here(body_)) return body_.size();
    const auto found = std::ranges::find_if(irregular_, is_here);
    return found == irregular_.end() ? 0 : found->size();
  }

  static constexpr std::size_t most_irregular = 64;

  const std::vector<std::uint32_t>& calls_;
  const Period& period_;
  std::vector<std::uint32_t> body_;
  std::map<std::uint32_t, std::size_t> in_body_;  ///< how often each call is in the body
  std::vector<std::size_t> begins_;
  std::size_t first_whole_ = 0;
  std::set<std::vector<std::uint32_t>> irregular_;  ///< iterations between repeated
};

/// Whether a body repeats often before something else follows. Otherwise it may be a part of a
/// longer one: a helper that an iteration calls three times.
bool repeats_often(const Period& period) {
  constexpr std::size_t often = 8;
  std::size_t calls = 0;
  for (const RepeatedCalls& one : period.repeated) calls += one.end - one.begin;
  return calls >= often * period.length * period.repeated.size();
}

std::optional<CallLoop> loop_of(const CallSequence& sequence) {
  if (sequence.size() < least_iterations) return std::nullopt;
  std::optional<CallLoop> shortest;
  for (const std::size_t lag : lags_of(sequence.calls)) {
    const Period period = period_at(sequence, lag);
    if (!explains_most(sequence, period)) continue;
    const bool is_sure = repeats_often(period);
    if (shortest && !is_sure) continue;
    const auto [begins, end] = IterationCounter(sequence, period).count();
    if (begins.size() < least_iterations) continue;
    shortest.emplace();
    for (const std::size_t begin : begins) shortest->begins.push_back(sequence.places[begin]);
    shortest->end = end;
    if (is_sure) break;
  }
  return shortest;
}

}  // namespace

CallLoop find_loop(std::span<const std::uint32_t> calls, std::span<const double> seconds) {
  if (calls.size() < least_iterations) {
    return {.begins = {}, .why_none = fmt::format("fewer than {} calls", least_iterations)};
  }
  CallSequence sequence;
  sequence.calls.assign(calls.begin(), calls.end());
  sequence.places.resize(calls.size());
  std::iota(sequence.places.begin(), sequence.places.end(), std::size_t{0});
  std::partial_sum(seconds.begin(), seconds.end(), std::back_inserter(sequence.ends));
  std::size_t looked_at = 0;
  for (std::size_t fold = 0; fold <= longest_fold; ++fold) {
    if (fold > 0) sequence = folded(sequence, fold);
    if (sequence.size() == looked_at) continue;
    looked_at = sequence.size();
    auto loop = loop_of(sequence);
    if (!loop) continue;
    loop->is_folded = fold > 0;
    loop->end = loop->end < sequence.size() ? sequence.places[loop->end] : calls.size();
    return *std::move(loop);
  }
  return {.begins = {}, .why_none = "no sequence of calls repeats through half of the run"};
}

}  // namespace hockney::applications
