#include "components/application/analysis/findings.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/program_report.hpp"

namespace hockney::applications {
namespace {

using profile::Kind;

/// Causes of less than this share of the scheduled time are left out.
constexpr double least_finding = 0.02;

/// Whether a function joins two jobs that run already.
bool connects_jobs(const std::string& call) {
  return call == "MPI_Comm_accept" || call == "MPI_Comm_connect" || call == "MPI_Comm_join";
}

/// What a call does, as far as causes differ by it.
enum class Role {
  point_to_point_send,
  point_to_point_receive,
  collective,
  file,
  starting,
  other_job,
  other
};

Role role_of(const std::string& call) {
  const auto function = profile::find_call(call);
  if (!function) return Role::other;
  if (call.starts_with("MPI_Comm_spawn")) return Role::starting;
  if (connects_jobs(call)) return Role::other_job;
  switch (profile::describe(*function).kind) {
    case Kind::send:
    case Kind::plan_send:
    case Kind::start:
    case Kind::start_all:
      return Role::point_to_point_send;
    case Kind::synchronise:
      return Role::point_to_point_receive;
    case Kind::collective:
    case Kind::communicator:
    case Kind::window:
      return Role::collective;
    case Kind::file:
      return Role::file;
    default:  // what receives, completes or exchanges waits for others
      return class_of(call) == CallClass::other ? Role::other : Role::point_to_point_receive;
  }
}

/// Whether data goes from one rank to all others: these wait for that rank, as for a sender.
bool comes_from_root(const std::string& call) {
  return call.ends_with("cast") || call.ends_with("catter") || call.ends_with("catterv");
}

/// Time at one call site, by reason, over all ranks [s].
struct SiteTime {
  std::string call;
  std::optional<int> site;
  std::optional<int> region;
  Role role = Role::other;
  double waiting = 0;
  double transfer = 0;
};

/// Times of some call sites together [s], and the site with the most; nullptr: none of them.
struct SiteSum {
  double seconds = 0;
  const SiteTime* most = nullptr;
};

template <class IsChosen>
SiteSum sum_of(const std::vector<SiteTime>& sites, double SiteTime::*time, IsChosen is_chosen) {
  SiteSum sum;
  for (const SiteTime& one : sites) {
    if (!is_chosen(one)) continue;
    sum.seconds += one.*time;
    if (sum.most == nullptr || one.*time > sum.most->*time) sum.most = &one;
  }
  return sum;
}

Finding finding_at(const SiteTime& site, FindingKind kind, double fraction) {
  return {.kind = kind,
          .site = site.site,
          .fraction = fraction,
          .call = site.call,
          .region = site.region};
}

/// Largest plausible time of a message or of one step of a collective, on a slow network [s].
/// Calls that take longer wait.
double plausible_seconds(double mean_bytes) {
  constexpr double latency = 100e-6;
  constexpr double bytes_per_second = 1e8;
  return latency + mean_bytes / bytes_per_second;
}

/// Waiting and transfer of calls of one site and size. The fastest call is taken to wait for no
/// rank, as far as its time is plausible for its bytes.
SiteTime estimate(const profile::Calls& calls) {
  const auto count = static_cast<double>(calls.count);
  const double mean_bytes = count > 0 ? static_cast<double>(calls.bytes) / count : 0;
  const double each = std::min(calls.min_seconds, plausible_seconds(mean_bytes));
  SiteTime time{
      .call = calls.call, .site = calls.site, .region = calls.region, .role = role_of(calls.call)};
  constexpr double spread = 1.5;  // of undisturbed calls, around the fastest
  time.transfer = std::min(calls.seconds, spread * each * count);
  time.waiting = calls.seconds - time.transfer;
  return time;
}

/// Whether calls use a communicator with processes of another job.
bool is_with_other_job(const profile::Profile& profile, const profile::Calls& calls) {
  if (!calls.communicator) return false;
  const profile::Communicator& used =
      profile.communicators.at(static_cast<std::size_t>(*calls.communicator));
  return used.size > profile.world_ranks || used.name.starts_with("MPI_Comm_spawn") ||
         connects_jobs(used.name);
}

class Causes {
 public:
  explicit Causes(const ProgramReport& report)
      : report_(report), seconds_(report.split.seconds), ranks_(report.split.ranks) {
    for (const profile::Rank& rank : report.profile.ranks) {
      parts_.push_back(time_parts(rank));
      computing_.push_back(is_starved() ? computing_cpu_seconds(*rank.cpu, parts_.back())
                                        : parts_.back().computing_seconds);
    }
  }

  std::vector<Finding> take() {
    if (ranks_ == 0 || !(seconds_ > 0)) return {};
    add_starved();
    add_files();
    add_load();
    report_.replay ? add_from_log() : add_from_sums();
    std::ranges::stable_sort(found_, [](const Finding& a, const Finding& b) {
      return std::pair(order_of(a), -a.fraction) < std::pair(order_of(b), -b.fraction);
    });
    return std::move(found_);
  }

 private:
  /// A starved CPU first; then what CPU times show in spite of it.
  static int order_of(const Finding& one) {
    constexpr double clear_ratio = 1.5;
    if (one.kind == FindingKind::starved_cpu && one.fraction >= CpuSummary::starved_share) return 0;
    const bool is_clear = one.ratio >= clear_ratio || one.other_cpu_seconds == 0;
    return one.cpu_seconds > 0 && is_clear ? 1 : 2;
  }

  [[nodiscard]] bool is_starved() const { return report_.cpu && report_.cpu->is_starved(); }

  /// CPU time of a rank outside of MPI. Between two readings it is divided by wall time, so that a
  /// rank that is hardly outside of MPI seems to compute less than it does: counts as well what is
  /// left of the time outside without that on the run queue.
  [[nodiscard]] double computing_cpu_seconds(const profile::CpuUse& use,
                                             const TimeParts& parts) const {
    const double all = use.user_seconds + use.system_seconds;
    const double outside =
        use.computing_cpu_seconds.value_or(std::max(0.0, all - use.mpi_cpu_seconds));
    return report_.cpu->is_estimated ? outside
                                     : std::max(outside, std::min(all, parts.computing_seconds));
  }

  void add(Finding finding) {
    if (finding.fraction < least_finding * scheduled_share(report_.cpu)) return;
    finding.fraction = std::min(finding.fraction, 1.0);
    finding.is_by_log = report_.replay.has_value();
    if (!(finding.without_seconds > 0)) {
      finding.without_seconds = seconds_ * (1 - finding.fraction);
    }
    found_.push_back(std::move(finding));
  }

  void add_starved() {
    const auto& cpu = report_.cpu;
    if (!cpu) return;
    Finding finding{.kind = FindingKind::starved_cpu,
                    .fraction = cpu->not_scheduled_share,
                    .ratio = cpu->fraction,
                    .source = cpu->source,
                    .threads = cpu->threads};
    double sum = 0;
    double most = 0;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      sum += parts_[i].not_scheduled_seconds;
      if (parts_[i].not_scheduled_seconds <= most) continue;
      most = parts_[i].not_scheduled_seconds;
      worst = i;
    }
    constexpr double alone = 1.7;  // times the mean
    if (ranks_ > 1 && most * ranks_ > alone * sum) {
      finding.rank = report_.profile.ranks[worst].rank;
      finding.ratio = cpu->per_rank[worst];
    }
    add(std::move(finding));
  }

  /// Load imbalance of the run [s].
  [[nodiscard]] double load() const {
    if (report_.replay) return std::max(0.0, report_.replay->load);
    const TimeParts& mean = report_.split.mean;
    return std::clamp(report_.split.load_seconds(), 0.0, mean.mpi_seconds);
  }

  /// The same without files; of a starved run in CPU time [s].
  [[nodiscard]] double computing_load() const {
    const double mean = std::accumulate(computing_.begin(), computing_.end(), 0.0) / ranks_;
    return std::clamp(computing_[busiest()] - mean, 0.0, is_starved() ? seconds_ : load());
  }

  void add_files() {
    const TimeParts& mean = report_.split.mean;
    const double files = mean.io_seconds + mean.mpi_io_seconds;
    if (!(files > 0)) return;
    // Part of the imbalance may come from files, but not more than the slowest rank is in them.
    double most = 0;
    std::size_t slowest = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const double own = parts_[i].io_seconds + parts_[i].mpi_io_seconds;
      if (own <= most) continue;
      most = own;
      slowest = i;
    }
    const double waiting = std::min(std::max(0.0, load() - computing_load()), most - files);
    Finding finding{.kind = FindingKind::io, .fraction = (files + waiting) / seconds_};
    constexpr double alone = 0.8;
    if (ranks_ > 1 && most >= alone * files * ranks_) {
      finding.rank = report_.profile.ranks[slowest].rank;
    }
    for (const SiteCalls& calls : by_site(report_.profile)) {  // longest first
      if (role_of(calls.call) != Role::file) continue;
      if (mean.mpi_io_seconds > mean.io_seconds) finding.site = calls.site;
      finding.call = calls.call;
      break;
    }
    if (mean.mpi_io_seconds <= mean.io_seconds) finding.call.clear();
    add(std::move(finding));
  }

  /// Median computing of all ranks but one [s]; 0 if there is no other.
  [[nodiscard]] double median_of_others(std::size_t place) const {
    std::vector<double> others = computing_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    if (others.empty()) return 0;
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>((others.size() - 1) / 2);
    std::ranges::nth_element(others, middle);
    return *middle;
  }

  [[nodiscard]] std::size_t busiest() const {
    const auto most = std::ranges::max_element(computing_);
    return static_cast<std::size_t>(most - computing_.begin());
  }

  void add_load() {
    const double seconds = computing_load();
    if (!(seconds > 0)) return;
    if (add_slow_node(seconds)) return;
    const std::size_t place = busiest();
    const double others = median_of_others(place);
    Finding finding{.kind = FindingKind::imbalance,
                    .rank = report_.profile.ranks[place].rank,
                    .fraction = seconds / seconds_,
                    .ratio = others > 0 ? computing_[place] / others : 0};
    if (is_starved()) {
      finding.cpu_seconds = computing_[place];
      finding.other_cpu_seconds = others;
    }
    constexpr double alike = 0.95;
    finding.ranks_alike = static_cast<int>(std::ranges::count_if(
        computing_, [&](double one) { return one >= alike * computing_[place]; }));
    place_computing(place, finding);
    name_function(finding);
    if (report_.log) {
      const double gain = report_.replay->ideal_seconds - report_.log->balanced_seconds;
      finding.without_seconds = seconds_ - std::max(0.0, gain);
    }
    add(std::move(finding));
  }

  /// The function in which the rank computes longer, if samples show one.
  void name_function(Finding& finding) const {
    if (!report_.functions || !finding.rank) return;
    const auto function = slower_function(*report_.functions, *finding.rank);
    if (!function) return;
    finding.function = report_.functions->functions.at(static_cast<std::size_t>(*function));
  }

  /// Where a rank computes: by the log before which call, else where the others wait.
  void place_computing(std::size_t place, Finding& finding) const {
    if (report_.log && place < report_.log->longest.size()) {
      const LogFacts::Computing& longest = report_.log->longest[place];
      finding.site = longest.site;
      finding.region = longest.region;
      finding.call = longest.call;
      return;
    }
    const auto sites = by_site(report_.profile);  // longest first
    const auto waits = std::ranges::find_if(sites, [](const SiteCalls& one) {
      const Role role = role_of(one.call);
      return role != Role::file && role != Role::other;
    });
    if (waits == sites.end()) return;
    finding.site = waits->site;
    finding.call = waits->call;
  }

  struct NodeComputing {
    double mean = 0;
    int ranks = 0;
  };

  /// One node whose ranks all compute longer than those of the others. A node of one rank looks
  /// like a rank with more work.
  bool add_slow_node(double seconds) {
    const Nodes& nodes = report_.nodes;
    if (nodes.known < 2) return false;
    std::map<std::string, NodeComputing> found;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      NodeComputing& node = found[report_.profile.ranks[i].host];
      node.mean += computing_[i];
      ++node.ranks;
    }
    std::vector<std::pair<double, std::string>> means;
    means.reserve(found.size());
    for (const auto& [name, node] : found) means.emplace_back(node.mean / node.ranks, name);
    std::ranges::sort(means, std::greater<>());
    const auto& [slowest, name] = means.front();
    double least = slowest;
    double most = slowest;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (report_.profile.ranks[i].host != name) continue;
      least = std::min(least, computing_[i]);
      most = std::max(most, computing_[i]);
    }
    // Its ranks, and the other nodes, differ less among each other than this node from the next.
    const double apart = slowest - means[1].first;
    const bool is_apart = found.at(name).ranks > 1 && slowest > 1.05 * means[1].first &&
                          most - least < 0.5 * apart && means[1].first - means.back().first < apart;
    if (!is_apart) return false;
    const double others = means[1 + (means.size() - 2) / 2].first;
    add({.kind = FindingKind::slow_node,
         .fraction = seconds / seconds_,
         .node = name,
         .ratio = others > 0 ? slowest / others : 0});
    return true;
  }

  /// If receivers wait for a good part, the other waits follow from theirs: all are one cause.
  bool add_late_senders(double seconds, double whole, const std::vector<SiteTime>& sites) {
    const SiteSum receiving = sum_of(sites, &SiteTime::waiting, [](const SiteTime& one) {
      return one.role == Role::point_to_point_receive || comes_from_root(one.call);
    });
    constexpr double least = 0.25;
    if (receiving.most == nullptr || receiving.seconds < least * whole) return false;
    add_with_peer(finding_at(*receiving.most, FindingKind::late_sender, seconds / seconds_));
    return true;
  }

  /// Adds the waiting of calls of one role. `scale`: part of the sites' waiting that counts.
  void add_waits_of(Role role, FindingKind kind, double scale, const std::vector<SiteTime>& sites) {
    const SiteSum waiting =
        sum_of(sites, &SiteTime::waiting, [role](const SiteTime& one) { return one.role == role; });
    if (waiting.most == nullptr) return;
    add_with_peer(finding_at(*waiting.most, kind, scale * waiting.seconds / seconds_));
  }

  /// Time of calls of which the log or the sums show no waiting: all of it is transfer.
  static bool has_no_waits(Role role) { return role == Role::starting || role == Role::other_job; }

  /// Role of all calls of one function at a site.
  [[nodiscard]] Role role_at(const std::string& call, const std::optional<int>& site) const {
    const Role role = role_of(call);
    if (has_no_waits(role) || role == Role::file) return role;
    bool is_found = false;
    for (const profile::Calls& calls : report_.profile.calls) {
      if (calls.site != site || calls.call != call) continue;
      if (!is_with_other_job(report_.profile, calls)) return role;
      is_found = true;
    }
    return is_found ? Role::other_job : role;
  }

  /// Adds waiting that no imbalance of the whole run explains [s]. `sites`: where ranks wait.
  void add_waiting(double seconds, const std::vector<SiteTime>& sites, double concurrency) {
    const double whole =
        sum_of(sites, &SiteTime::waiting, [](const SiteTime&) { return true; }).seconds;
    if (!(whole > 0)) return;
    const bool is_serial = ranks_ > 1 && concurrency < 1 + 0.2 * (ranks_ - 1);
    if (is_serial) {
      const auto most = std::ranges::max_element(sites, {}, &SiteTime::waiting);
      Finding finding = finding_at(*most, FindingKind::serialisation, seconds / seconds_);
      finding.concurrency = concurrency;
      return add(std::move(finding));
    }
    if (add_late_senders(seconds, whole, sites)) return;
    add_waits_of(Role::point_to_point_send, FindingKind::eager_limit, seconds / whole, sites);
    add_waits_of(Role::collective, FindingKind::imbalance, seconds / whole, sites);
  }

  /// Adds a finding with the rank that receivers at its site wait for.
  void add_with_peer(Finding finding) {
    if (report_.log && finding.kind != FindingKind::imbalance) name_peer(finding);
    add(std::move(finding));
  }

  void name_peer(Finding& finding) const {
    const bool is_send = finding.kind == FindingKind::eager_limit;
    const auto& waits = is_send ? report_.log->waits.senders : report_.log->waits.receivers;
    const auto found = std::ranges::find_if(waits, [&](const SiteWait& one) {
      return one.site == finding.site && one.call == finding.call;
    });
    if (found == waits.end()) return;
    finding.rank = found->peer;
    finding.volume = found->volume;
  }

  void add_from_log() {
    const ReplaySplit& replay = *report_.replay;
    std::vector<SiteTime> sites;
    sites.reserve(replay.sites.size());
    for (const SiteSplit& one : replay.sites) {
      sites.push_back({.call = one.call,
                       .site = one.site,
                       .region = one.region,
                       .role = role_at(one.call, one.site),
                       .waiting = one.times.dependency,
                       .transfer = std::max(0.0, one.times.transfer)});
    }
    const double mean = replay.times.computing;
    const double concurrency = replay.ideal_seconds > 0 ? ranks_ * mean / replay.ideal_seconds : 0;
    add_waiting(replay.times.dependency, sites, concurrency);
    const double protocol = add_late_receives(sites);
    const double transfer = replay.times.transfer - (replay.times.protocol ? 0 : protocol);
    add_transfer(std::max(0.0, transfer), sites);
  }

  /// Senders that wait for receives. Without a known eager limit the clocks show it. What follows
  /// from these waits was part of the transfer of call sites, and is taken from there. Returns its
  /// time [s].
  double add_late_receives(std::vector<SiteTime>& sites) {
    const ReplaySplit& replay = *report_.replay;
    const LogFacts& log = *report_.log;
    const auto most = std::ranges::find_if(log.waits.senders, [&](const SiteWait& wait) {
      return !is_synchronous(wait.call) && wait.volume.max_bytes > log.waits.eager_bytes;
    });
    if (most == log.waits.senders.end()) return 0;
    const double seconds = replay.times.protocol.value_or(
        std::clamp(log.late_receive_seconds, 0.0, std::max(0.0, replay.times.transfer)));
    if (!replay.times.protocol) {
      for (const LogFacts::HeldUp& held : log.held_up) {
        const auto site = std::ranges::find_if(sites, [&](const SiteTime& one) {
          return one.site == held.site && one.call == held.call;
        });
        if (site != sites.end()) site->transfer = std::max(0.0, site->transfer - held.seconds);
      }
    }
    add({.kind = FindingKind::eager_limit,
         .rank = most->peer,
         .site = most->site,
         .fraction = seconds / seconds_,
         .call = most->call,
         .volume = most->volume});
    return seconds;
  }

  /// A collective that takes long after its last rank. `scale`: part of the run of a second there.
  void add_collective(const SiteTime& site, double scale) {
    Finding finding = finding_at(site, FindingKind::slow_collective, site.transfer * scale);
    finding.volume = volume_at(site);
    const auto count = static_cast<double>(finding.volume.count);
    if (count > 0) finding.seconds_per_call = site.transfer / count;
    add(std::move(finding));
  }

  /// Calls that start processes, or that wait for those of another job.
  void add_other_job(const SiteTime& site, double scale) {
    const bool starts = site.role == Role::starting;
    add(finding_at(site, starts ? FindingKind::starting : FindingKind::other_job,
                   site.transfer * scale));
  }

  /// Transfer [s], by site: each collective, and messages together.
  void add_transfer(double seconds, const std::vector<SiteTime>& sites) {
    const double whole =
        sum_of(sites, &SiteTime::transfer, [](const SiteTime&) { return true; }).seconds;
    const SiteSum messages = sum_of(sites, &SiteTime::transfer, [](const SiteTime& one) {
      return one.role != Role::collective && one.role != Role::file && !has_no_waits(one.role);
    });
    if (!(whole > 0)) return;
    const double scale = seconds / whole / seconds_;
    for (const SiteTime& one : sites) {
      if (one.role == Role::collective) add_collective(one, scale);
      if (has_no_waits(one.role)) add_other_job(one, scale);
    }
    if (messages.most == nullptr) return;
    Finding finding = finding_at(*messages.most, FindingKind::transfer, messages.seconds * scale);
    if (messages.most->role == Role::other) finding.call.clear();
    if (!report_.profile.messages.empty()) finding.volume = report_.by_rank.total();
    add(std::move(finding));
  }

  /// Calls at a site, and their bytes.
  [[nodiscard]] Volume volume_at(const SiteTime& site) const {
    Volume volume;
    for (const profile::Calls& calls : report_.profile.calls) {
      if (calls.site != site.site || calls.call != site.call) continue;
      volume.add({calls.count, calls.bytes, calls.min_bytes, calls.max_bytes});
    }
    return volume;
  }

  void add_from_sums() {
    std::map<std::tuple<std::string, std::optional<int>, Role>, SiteTime> found;
    for (const profile::Calls& calls : report_.profile.calls) {
      SiteTime part = estimate(calls);
      if (part.role == Role::file) continue;
      if (is_with_other_job(report_.profile, calls)) part.role = Role::other_job;
      // A world of one rank has no other rank to wait for.
      if (has_no_waits(part.role) || report_.profile.world_ranks == 1) {
        part.transfer += std::exchange(part.waiting, 0);
      }
      const auto [place, is_new] = found.try_emplace({part.call, part.site, part.role}, part);
      if (is_new) continue;
      place->second.waiting += part.waiting;
      place->second.transfer += part.transfer;
    }
    double waiting = 0;
    double transfer = 0;
    std::vector<SiteTime> sites;
    for (auto& [key, site] : found) {
      waiting += site.waiting / ranks_;
      transfer += site.transfer / ranks_;
      sites.push_back(std::move(site));
    }
    const TimeParts& mean = report_.split.mean;
    const double calls = waiting + transfer;
    const double scale = calls > 0 ? std::min(1.0, mean.mpi_seconds / calls) : 0;
    const double rest = std::max(0.0, scale * waiting - load());
    const double concurrency = ranks_ * mean.outside_mpi() / seconds_;
    add_waiting(rest, sites, concurrency);
    add_transfer(std::min(scale * transfer, mean.mpi_seconds - load()), sites);
  }

  const ProgramReport& report_;
  double seconds_;
  int ranks_;
  std::vector<TimeParts> parts_;
  std::vector<double> computing_;  ///< of each rank; CPU time if ranks were starved [s]
  std::vector<Finding> found_;
};

}  // namespace

double scheduled_share(const std::optional<CpuSummary>& cpu) {
  return cpu ? std::max(0.0, 1 - cpu->not_scheduled_share) : 1;
}

std::vector<Finding> find_causes(const ProgramReport& report) { return Causes(report).take(); }

std::optional<double> most_by_settings(const ProgramReport& report) {
  if (!report.replay || !(report.replay->seconds > 0)) return std::nullopt;
  const SplitTimes& times = report.replay->times;
  return std::max(0.0, times.transfer + times.protocol.value_or(0)) / report.replay->seconds;
}

}  // namespace hockney::applications
