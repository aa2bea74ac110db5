#include "application/analysis/calls.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

#include "application/profile/calls.hpp"

namespace hockney::applications {
namespace {

/// Sums of calls by any key, those of most time first.
template <class Key>
class SumsBy {
 public:
  void add(const Key& key, const profile::Calls& calls) {
    Group& group = groups_[key];
    group.sums.add(calls);
    const double seconds = group.of_rank[calls.slowest_rank] += calls.slowest_seconds;
    if (seconds < group.sums.slowest_seconds) return;
    group.sums.slowest_rank = calls.slowest_rank;
    group.sums.slowest_seconds = seconds;
  }

  /// What `make` makes of every key and its sums.
  template <class Make>
  auto listed(Make make) const {
    std::vector<std::invoke_result_t<Make, const Key&, const CallSums&>> all;
    all.reserve(groups_.size());
    for (const auto& [key, group] : groups_) all.push_back(make(key, group.sums));
    std::ranges::stable_sort(
        all, [](const auto& a, const auto& b) { return a.sums.seconds > b.sums.seconds; });
    return all;
  }

 private:
  struct Group {
    CallSums sums;
    std::map<int, double> of_rank;  ///< what rows say of their slowest rank [s]
  };
  std::map<Key, Group> groups_;
};

/// The class of a size: its bits, as many as it has.
int bits_of(std::int64_t bytes) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(bytes)));
}

double price_of(const profile::Price& price, std::string_view call) {
  switch (class_of(call)) {
    case CallClass::send:
      return price.send_seconds;
    case CallClass::receive:
      return price.receive_seconds;
    case CallClass::completion:
      return price.completion_seconds;
    default:
      return price.other_seconds;
  }
}

}  // namespace

CallClass class_of(std::string_view call) {
  using profile::Kind;
  const auto function = profile::find_call(call);
  switch (function ? profile::describe(*function).kind : Kind::other) {
    case Kind::send:
    case Kind::send_receive:
    case Kind::replace:
    case Kind::start:
    case Kind::start_all:
    case Kind::one_sided:
      return CallClass::send;
    case Kind::receive:
    case Kind::start_receive:
    case Kind::probe:
      return CallClass::receive;
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
    case Kind::test:
    case Kind::test_all:
    case Kind::test_any:
    case Kind::test_some:
      return CallClass::completion;
    default:
      return CallClass::other;
  }
}

bool is_file_call(std::string_view call) { return call.starts_with("MPI_File_"); }

void CallSums::add(const profile::Calls& calls) {
  min_seconds = volume.count == 0 ? calls.min_seconds : std::min(min_seconds, calls.min_seconds);
  max_seconds = std::max(max_seconds, calls.max_seconds);
  volume.add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
  seconds += calls.seconds;
  ranks = std::max(ranks, calls.ranks);
}

std::vector<FunctionCalls> by_function(const profile::Profile& profile) {
  SumsBy<std::string> sums;
  for (const profile::Calls& calls : profile.calls) sums.add(calls.call, calls);
  return sums.listed([](const std::string& call, const CallSums& of_call) {
    return FunctionCalls{call, of_call};
  });
}

std::vector<SiteCalls> by_site(const profile::Profile& profile) {
  SumsBy<std::pair<std::string, std::optional<int>>> sums;
  for (const profile::Calls& calls : profile.calls) sums.add({calls.call, calls.site}, calls);
  return sums.listed([](const auto& key, const CallSums& of_site) {
    return SiteCalls{key.first, key.second, of_site};
  });
}

std::vector<RegionCalls> by_region(const profile::Profile& profile) {
  SumsBy<std::optional<int>> sums;
  for (const profile::Calls& calls : profile.calls) sums.add(calls.region, calls);
  return sums.listed([](const std::optional<int>& region, const CallSums& of_region) {
    return RegionCalls{region, of_region};
  });
}

std::vector<SizeClass> by_size(const profile::Profile& profile, std::string_view call) {
  std::map<int, SizeClass> classes;
  for (const profile::Calls& calls : profile.calls) {
    const bool is_wanted = call.empty() ? calls.bytes > 0 : calls.call == call;
    if (!is_wanted) continue;
    const int bits = bits_of(calls.max_bytes);
    SizeClass& of_size = classes[bits];
    of_size.from_bytes = bits == 0 ? 0 : std::int64_t{1} << (bits - 1);
    of_size.to_bytes = bits == 0 ? 0 : of_size.from_bytes + (of_size.from_bytes - 1);
    of_size.volume.add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
    of_size.seconds += calls.seconds;
  }
  std::vector<SizeClass> listed;
  listed.reserve(classes.size());
  for (const auto& [bits, of_size] : classes) listed.push_back(of_size);
  return listed;
}

std::optional<RecordingPrice> recording_price(const profile::Profile& profile) {
  double counted = 0;
  RecordingPrice price;
  for (const profile::Calls& calls : profile.calls) {
    const auto count = static_cast<double>(calls.count);
    counted += count;
    price.seconds += count * price_of(profile.price, calls.call);
  }
  double made = 0;
  double ran_seconds = 0;
  for (const profile::Rank& rank : profile.ranks) {
    made += static_cast<double>(rank.calls);
    ran_seconds += rank.seconds;
  }
  if (made > counted) price.seconds += (made - counted) * profile.price.other_seconds;
  const double calls = std::max(made, counted);
  if (!(calls > 0)) return std::nullopt;
  price.seconds_per_call = price.seconds / calls;
  price.fraction = share_of(price.seconds, ran_seconds);
  return price;
}

}  // namespace hockney::applications
