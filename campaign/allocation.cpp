#include "campaign/allocation.hpp"

#include <algorithm>
#include <cstdlib>

#include "campaign/executables.hpp"
#include "campaign/subprocess.hpp"
#include "core/host_list.hpp"
#include "core/text.hpp"
#include "core/time.hpp"

namespace hockney::campaign {
namespace {

/// For ranks to end, and for the last documents to be written.
constexpr Seconds reserve{10};

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::vector<std::string> nodes_of(const std::string& list) {
  try {
    return list.empty() ? std::vector<std::string>() : expand_hosts(list);
  } catch (const HostListError&) {
    return {};
  }
}

/// 2 of "2(x4)" and "2,1".
std::optional<int> leading_number(const std::string& text) {
  return as_number<int>(text.substr(0, text.find_first_of("(,")));
}

std::chrono::steady_clock::duration as_duration(Seconds time) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(time.value));
}

}  // namespace

std::optional<Allocation> current_allocation(const JobQuery& ask) {
  const std::string job = variable("SLURM_JOB_ID");
  if (job.empty()) return std::nullopt;
  const std::vector<std::string> said = split(ask(job, "%L"), '\n');
  return Allocation{.job = job,
                    .nodes = nodes_of(variable("SLURM_JOB_NODELIST")),
                    .tasks_of_first = leading_number(variable("SLURM_TASKS_PER_NODE")),
                    .time_left = parse_slurm_time(said.front())};
}

int fewest_across_nodes(const Allocation& allocation) {
  return allocation.nodes.size() > 1 ? allocation.tasks_of_first.value_or(1) + 1 : 0;
}

std::string query_job(const std::string& job, const std::string& format) {
  const auto squeue = find_executable("squeue", path_folders());
  if (!squeue) return {};
  return output_of({*squeue, "--noheader", "--job", job, "--format", format}, {10});
}

std::optional<Seconds> parse_slurm_time(std::string_view text) {
  constexpr int hours_of_day = 24;
  constexpr int sixty = 60;
  int days = 0;
  if (const std::size_t dash = text.find('-'); dash != std::string_view::npos) {
    const auto number = as_number<int>(text.substr(0, dash));
    if (!number) return std::nullopt;
    days = *number;
    text.remove_prefix(dash + 1);
  }
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  double seconds = 0;
  for (const std::string& part : parts) {
    const auto number = as_number<int>(part);
    if (!number || *number < 0) return std::nullopt;
    seconds = seconds * sixty + *number;
  }
  return Seconds{seconds + static_cast<double>(days) * hours_of_day * sixty * sixty};
}

std::optional<Deadline> deadline_of(const Allocation& allocation) {
  if (!allocation.time_left) return std::nullopt;
  const Seconds left{std::max(0.0, allocation.time_left->value - reserve.value)};
  return Deadline{allocation.job, std::chrono::steady_clock::now() + as_duration(left)};
}

std::optional<std::string> why_too_late(const std::optional<Deadline>& deadline, Seconds longest) {
  if (!deadline) return std::nullopt;
  const std::chrono::duration<double> left = deadline->at - std::chrono::steady_clock::now();
  if (left.count() > longest.value) return std::nullopt;
  const std::string end = "the time of job " + deadline->job + " is nearly up";
  if (longest.value <= 0) return end;
  return end + " and a launch takes up to " + format_duration(longest);
}

}  // namespace hockney::campaign
