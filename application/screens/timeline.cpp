#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/json_values.hpp"
#include "core/text.hpp"
#include "application/screens/profile_report.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::Call;
using applications::RankTrace;
using applications::Trace;
using profile::Event;
using Json = nlohmann::json;

constexpr double microseconds = 1e6;

/// To the nanosecond.
double rounded(double seconds) { return std::round(seconds * 1e9) / 1e3; }

std::string bound_of(const applications::HostClock& clock) {
  if (!clock.bound_seconds) return "clock not known";
  return "clock within " + significant(microseconds * *clock.bound_seconds, 2) + " us";
}

/// Writes one trace event after the other, since there may be many.
class Timeline {
 public:
  Timeline(std::ostream& out, const Trace& trace, const ProfileView& view)
      : out_(out), trace_(trace) {
    for (const auto& site : sites_of_trace(view, trace)) sites_.push_back(site_text(view, site));
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

  /// Hosts and ranks, and where the time of each rank begins.
  void place(const std::map<std::string, applications::HostClock>& clocks) {
    for (const auto& each : clocks) {
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
      begins_.push_back(rank.begin_seconds + clocks.at(rank.host).offset_seconds - origin);
      write({{"ph", "M"},
             {"pid", hosts_.at(rank.host)},
             {"tid", rank.rank},
             {"name", "thread_name"},
             {"args", {{"name", "rank " + std::to_string(rank.rank)}}}});
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
    for (const Event& event : rank.events) {
      const std::string name = "MPI_" + std::string(profile::describe(event.function).name);
      write_span(place, rank.begin_of(event), rank.end_of(event), name, arguments_of(event));
    }
  }

  /// From the first to the last of calls in a row in the same region.
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

  [[nodiscard]] Json arguments_of(const Event& event) const {
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
      const Event& event = rank.events[call.event];
      // Just inside the span that it belongs to.
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
  std::vector<double> begins_;  ///< of each rank, on the common axis [s]
  bool is_first_ = true;
};

}  // namespace

void write_timeline(std::ostream& out, const applications::TraceAnalysis& run,
                    const ProfileView& view) {
  Timeline(out, run.trace(), view).write(run.clocks(), run.matching().messages);
}

}  // namespace hockney::report
