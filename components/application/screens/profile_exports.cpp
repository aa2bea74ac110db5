#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "components/application/screens/profile_report.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Call;
using applications::EventView;
using applications::RankTrace;
using applications::Trace;
using Json = nlohmann::json;

constexpr double microseconds = 1e6;

/// Microseconds, rounded to nanoseconds.
double rounded(double seconds) { return std::round(seconds * 1e9) / 1e3; }

std::string bound_of(const applications::HostClock& clock) {
  if (!clock.bound_seconds) return "clock not known";
  return fmt::format("clock within {} us", significant(microseconds * *clock.bound_seconds, 2));
}

/// Writes one trace event at a time, since there may be many.
class Timeline {
 public:
  Timeline(std::ostream& out, const Trace& trace, const ProfileView& view)
      : out_(out), trace_(trace) {
    for (const auto& site : view.report.trace_sites) sites_.push_back(site_text(view, site));
  }

  void write(const std::map<std::string, applications::HostClock>& clocks,
             const std::vector<applications::MatchedMessage>& messages) {
    out_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
    place(clocks);
    for (std::size_t rank = 0; rank < trace_.ranks.size(); ++rank) write_rank(rank);
    for (std::size_t i = 0; i < messages.size(); ++i) write_arrow(i, messages[i]);
    out_ << "\n]}\n";
  }

 private:
  void write(const Json& event) {
    out_ << (is_first_ ? "\n" : ",\n") << json_text(event, -1);
    is_first_ = false;
  }

  /// Names hosts and ranks, and sets the begin of each rank's time.
  void place(const std::map<std::string, applications::HostClock>& clocks) {
    std::map<std::string, applications::HostClock> clock_of_host;
    for (const RankTrace& rank : trace_.ranks) {
      clock_of_host.try_emplace(rank.host, clocks.at(rank.clock()));
    }
    for (const auto& each : clock_of_host) {
      const std::string& host = each.first;
      const auto number = static_cast<int>(hosts_.size());
      hosts_[host] = number;
      write({{"ph", "M"}, {"pid", number}, {"name", "process_name"}, {"args", {{"name", host}}}});
      write({{"ph", "M"},
             {"pid", number},
             {"name", "process_labels"},
             {"args", {{"labels", bound_of(each.second)}}}});
    }
    const double origin = trace_.ranks.front().begin_seconds;
    for (const RankTrace& rank : trace_.ranks) {
      begins_.push_back(rank.begin_seconds + clocks.at(rank.clock()).offset_seconds - origin);
      write({{"ph", "M"},
             {"pid", hosts_.at(rank.host)},
             {"tid", rank.rank},
             {"name", "thread_name"},
             {"args", {{"name", fmt::format("rank {}", rank.rank)}}}});
    }
  }

  [[nodiscard]] Json at(std::size_t rank, double seconds, const char* phase) const {
    const RankTrace& trace = trace_.ranks[rank];
    return {{"ph", phase},
            {"pid", hosts_.at(trace.host)},
            {"tid", trace.rank},
            {"ts", rounded(begins_[rank] + seconds)}};
  }

  void write_span(std::size_t rank, double begin, double end, const std::string& name,
                  Json arguments) {
    Json span = at(rank, begin, "X");
    span["dur"] = rounded(end - begin);
    span["name"] = name;
    if (!arguments.empty()) span["args"] = std::move(arguments);
    write(span);
  }

  void write_rank(std::size_t place) {
    const RankTrace& rank = trace_.ranks[place];
    write_regions(place);
    for (const EventView event : rank.events.views()) {
      const std::string name = fmt::format("MPI_{}", profile::describe(event.function).name);
      write_span(place, rank.begin_of(event), rank.end_of(event), name, arguments_of(event));
    }
  }

  /// A region's span covers consecutive calls in that region.
  void write_regions(std::size_t place) {
    const RankTrace& rank = trace_.ranks[place];
    for (std::size_t first = 0; first < rank.events.size();) {
      std::size_t last = first;
      const std::uint32_t region = rank.events[first].region;
      while (last + 1 < rank.events.size() && rank.events[last + 1].region == region) ++last;
      if (region != 0) {
        write_span(place, rank.begin_of(rank.events[first]), rank.end_of(rank.events[last]),
                   trace_.regions[region - 1].name, {});
      }
      first = last + 1;
    }
  }

  [[nodiscard]] Json arguments_of(const EventView& event) const {
    Json arguments = Json::object();
    const auto add = [&](const char* name, std::int64_t value, bool is_there) {
      if (is_there) arguments[name] = value;
    };
    add("to", event.sent.rank, event.sent.rank >= 0);
    add("from", event.received.rank, event.received.rank >= 0);
    add("tag", event.sent.rank >= 0 ? event.sent.tag : event.received.tag,
        event.sent.rank >= 0 || event.received.rank >= 0);
    add("bytes", event.sent.bytes, event.sent.bytes >= 0);
    add("received_bytes", event.received.bytes, event.received.bytes >= 0);
    add("root", event.root, event.root >= 0);
    add("requests", static_cast<std::int64_t>(event.completed.size()), !event.completed.empty());
    add("calls", event.repeats + 1, event.repeats > 0);
    if (event.communicator != profile::no_index) {
      arguments["communicator"] = trace_.communicators[event.communicator].name;
    }
    if (event.site != profile::no_index) arguments["site"] = sites_[event.site];
    return arguments;
  }

  void write_arrow(std::size_t number, const applications::MatchedMessage& message) {
    const auto end_of_arrow = [&](const Call& call, const char* phase, bool is_end) {
      const RankTrace& rank = trace_.ranks[call.rank];
      const EventView event = rank.events[call.event];
      // inside the span, so that viewers attach the arrow to it
      Json arrow = at(call.rank, is_end ? rank.end_of(event) : rank.begin_of(event), phase);
      arrow["id"] = number;
      arrow["name"] = "message";
      arrow["cat"] = "message";
      if (is_end) arrow["bp"] = "e";
      write(arrow);
    };
    end_of_arrow(message.send, "s", false);
    end_of_arrow(message.arrival, "f", true);
  }

  std::ostream& out_;
  const Trace& trace_;
  std::vector<std::string> sites_;
  std::map<std::string, int> hosts_;
  std::vector<double> begins_;  ///< begin of each rank on the common axis [s]
  bool is_first_ = true;
};

}  // namespace

void write_timeline(std::ostream& out, const applications::TraceAnalysis& run,
                    const ProfileView& view) {
  Timeline(out, run.trace(), view).write(run.clocks(), run.matching().messages);
}

}  // namespace hockney::report

// Layout as in mpiP's user guide (LLNL). Values that a profile lacks, such as the times of each
// task at a call site, are "-". Other such values appear in the line of all tasks only, "*".

namespace hockney::report {
namespace {

using applications::share_of;
using applications::SiteCalls;

constexpr std::size_t ruler_width = 75;
constexpr std::size_t most_rows = 20;
constexpr double milliseconds = 1e3;

void print_section(std::ostream& out, const std::string& title) {
  const std::string ruler(ruler_width, '-');
  std::string line = fmt::format("@--- {} ", title);
  if (line.size() < ruler_width) line.resize(ruler_width, '-');
  out << ruler << '\n' << line << '\n' << ruler << '\n';
}

std::string three(double value) { return significant(value, 3); }

std::string percent(double part, double whole) {
  const auto share = share_of(part, whole);
  return share ? fixed_text(per_cent * *share, 2) : "-";
}

/// Without "MPI_", as in mpiP.
std::string short_name(const std::string& call) {
  return escaped(call.starts_with("MPI_") ? call.substr(4) : call);
}

void print_header(std::ostream& out, const ProfileView& view) {
  const profile::Profile& profile = view.report.profile;
  out << "@ mpiP\n@ Command : " << escaped(join(profile.provenance.command_line, " ")) << '\n'
      << "@ Version                  : hockney.profile/1, by hockney profile show --mpip\n"
      << "@ MPI Library              : " << escaped(profile.provenance.mpi.library) << '\n'
      << "@ Report written           : " << escaped(profile.written_utc) << '\n';
  for (const profile::Rank& rank : profile.ranks) {
    out << "@ MPI Task Assignment      : " << rank.rank << ' ' << escaped(rank.host) << '\n';
  }
  out << '\n';
}

double mpi_of(const profile::Rank& rank) { return rank.mpi_seconds + rank.mpi_io_seconds; }

/// Sums over all tasks [s].
struct Totals {
  double app = 0;
  double mpi = 0;
};

Totals totals_of(const profile::Profile& profile) {
  Totals totals;
  for (const profile::Rank& rank : profile.ranks) {
    totals.app += rank.seconds;
    totals.mpi += mpi_of(rank);
  }
  return totals;
}

void print_tasks(std::ostream& out, const profile::Profile& profile, const Totals& totals) {
  print_section(out, "MPI Time (seconds)");
  out << "Task    AppTime    MPITime     MPI%\n";
  const auto print = [&](const std::string& task, double app, double mpi) {
    out << fmt::format("{:>4} {:>10} {:>10} {:>8}\n", task, three(app), three(mpi),
                       percent(mpi, app));
  };
  for (const profile::Rank& rank : profile.ranks) {
    print(std::to_string(rank.rank), rank.seconds, mpi_of(rank));
  }
  print("*", totals.app, totals.mpi);
}

/// A call site with its number in the report.
struct NumberedSite {
  std::string number;
  SiteCalls calls;
};

std::vector<NumberedSite> numbered_sites(const ProfileView& view) {
  std::vector<NumberedSite> sites;
  for (SiteCalls& calls : applications::by_site(view.report.profile)) {
    sites.push_back({std::to_string(sites.size() + 1), std::move(calls)});
  }
  return sites;
}

/// File and line, or module and offset.
struct SitePlace {
  std::string file = "-";
  std::string line;
  std::string function = "[unknown]";
};

SitePlace place_of(const ProfileView& view, const std::optional<int>& site) {
  if (!site) return {};
  const auto index = static_cast<std::size_t>(*site);
  const SiteName name = index < view.site_names.size() ? view.site_names[index] : SiteName{};
  SitePlace place;
  const std::string& exported = view.report.profile.sites[index].function;
  const std::string function = name.function.empty() ? exported : name.function;
  if (!function.empty()) place.function = escaped(function);
  const std::size_t colon = name.place.rfind(':');
  if (colon != std::string::npos) {
    place.file = escaped(name.place.substr(0, colon));
    place.line = escaped(name.place.substr(colon + 1));
  } else {
    const auto offset = static_cast<std::uint64_t>(view.report.profile.sites[index].offset);
    place.file = fmt::format("0x{:x}", offset);
  }
  return place;
}

void print_sites(std::ostream& out, const ProfileView& view,
                 const std::vector<NumberedSite>& sites) {
  print_section(out, fmt::format("Callsites: {}", sites.size()));
  const auto print = [&](const std::string& number, const std::string& level, const SitePlace& at,
                         const std::string& call) {
    out << fmt::format("{:>3} {:>3} {:<20} {:>8} {:<24} {}\n", number, level, at.file, at.line,
                       at.function, call);
  };
  print(" ID", "Lev", {"File/Address", "Line", "Parent_Funct"}, "MPI_Call");
  for (const NumberedSite& site : sites) {
    print(site.number, "0", place_of(view, site.calls.site), short_name(site.calls.call));
  }
}

void print_times(std::ostream& out, const std::vector<NumberedSite>& sites, const Totals& totals) {
  print_section(out, "Aggregate Time (top twenty, descending, milliseconds)");
  constexpr std::string_view row = "{:<20} {:>6} {:>10} {:>7} {:>7} {:>10} {:>6}\n";
  out << fmt::format(row, "Call", "Site", "Time", "App%", "MPI%", "Count", "COV");
  for (std::size_t i = 0; i < std::min(sites.size(), most_rows); ++i) {
    const applications::CallSums& sums = sites[i].calls.sums;
    out << fmt::format(row, short_name(sites[i].calls.call), sites[i].number,
                       three(sums.seconds * milliseconds), percent(sums.seconds, totals.app),
                       percent(sums.seconds, totals.mpi), sums.volume.count, "-");
  }
}

bool sends(const NumberedSite& site) {
  return site.calls.sums.volume.bytes > 0 && !applications::is_file_call(site.calls.call) &&
         applications::class_of(site.calls.call) != applications::CallClass::receive;
}

void print_sizes(std::ostream& out, std::vector<NumberedSite> sites) {
  print_section(out, "Aggregate Sent Message Size (top twenty, descending, bytes)");
  constexpr std::string_view row = "{:<20} {:>6} {:>10} {:>10} {:>10} {:>6}\n";
  out << fmt::format(row, "Call", "Site", "Count", "Total", "Avrg", "Sent%");
  std::erase_if(sites, [](const NumberedSite& site) { return !sends(site); });
  const auto bytes_of = [](const NumberedSite& site) { return site.calls.sums.volume.bytes; };
  std::ranges::stable_sort(sites, std::greater<>(), bytes_of);
  double whole = 0;
  for (const NumberedSite& site : sites) whole += static_cast<double>(bytes_of(site));
  for (std::size_t i = 0; i < std::min(sites.size(), most_rows); ++i) {
    const applications::Volume& volume = sites[i].calls.sums.volume;
    const auto bytes = static_cast<double>(volume.bytes);
    out << fmt::format(row, short_name(sites[i].calls.call), sites[i].number, volume.count,
                       volume.bytes, significant(volume.mean_bytes(), 1, 3), percent(bytes, whole));
  }
}

void print_time_statistics(std::ostream& out, const std::vector<NumberedSite>& sites,
                           const Totals& totals) {
  print_section(out, fmt::format("Callsite Time statistics (all, milliseconds): {}", sites.size()));
  constexpr std::string_view row = "{:<17} {:>4} {:>4} {:>6} {:>8} {:>8} {:>8} {:>6} {:>6}\n";
  out << fmt::format(row, "Name", "Site", "Rank", "Count", "Max", "Mean", "Min", "App%", "MPI%");
  for (const NumberedSite& site : sites) {
    const applications::CallSums& sums = site.calls.sums;
    const auto mean = share_of(sums.seconds, static_cast<double>(sums.volume.count));
    out << fmt::format(row, short_name(site.calls.call), site.number, "*", sums.volume.count,
                       three(sums.max_seconds * milliseconds), significant(mean, milliseconds, 3),
                       three(sums.min_seconds * milliseconds), percent(sums.seconds, totals.app),
                       percent(sums.seconds, totals.mpi));
  }
}

void print_size_statistics(std::ostream& out, const std::vector<NumberedSite>& sites) {
  print_section(out, "Callsite Message Sent statistics (all, sent bytes)");
  constexpr std::string_view row = "{:<17} {:>4} {:>4} {:>7} {:>9} {:>9} {:>9} {:>9}\n";
  out << fmt::format(row, "Name", "Site", "Rank", "Count", "Max", "Mean", "Min", "Sum");
  for (const NumberedSite& site : sites) {
    if (!sends(site)) continue;
    const applications::Volume& volume = site.calls.sums.volume;
    out << fmt::format(row, short_name(site.calls.call), site.number, "*", volume.count,
                       volume.max_bytes, significant(volume.mean_bytes(), 1, 4), volume.min_bytes,
                       volume.bytes);
  }
}

}  // namespace

void print_mpip_report(std::ostream& out, const ProfileView& view) {
  const Totals totals = totals_of(view.report.profile);
  const std::vector<NumberedSite> sites = numbered_sites(view);
  print_header(out, view);
  print_tasks(out, view.report.profile, totals);
  print_sites(out, view, sites);
  print_times(out, sites, totals);
  print_sizes(out, sites);
  print_time_statistics(out, sites, totals);
  print_size_statistics(out, sites);
  print_section(out, "End of Report");
}

}  // namespace hockney::report
