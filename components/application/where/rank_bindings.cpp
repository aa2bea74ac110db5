#include "components/application/where/rank_bindings.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/json_node.hpp"
#include "core/json_values.hpp"
#include "core/process_stat.hpp"
#include "core/text.hpp"
#include "placement/machine.hpp"
#include "placement/topology_fields.hpp"

namespace hockney::where {

/// Lists of CPUs in the kernel's format: "0-7,16".
inline constexpr FieldCodec<std::vector<int>, std::string> cpu_list_codec{
    [](const JsonNode& node) { return placement::parse_cpus(node.text()); },
    [](const std::vector<int>& cpus) { return placement::format_cpus(cpus); }};

constexpr auto fields_of(std::type_identity<ThreadPlace>) {
  return object_of(key("allowed_cpus", &ThreadPlace::allowed_cpus, cpu_list_codec),
                   key("last_cpu", &ThreadPlace::last_cpu),
                   key("memory_node", &ThreadPlace::memory_node));
}

constexpr auto fields_of(std::type_identity<RankPlace>) {
  return object_of(key("rank", &RankPlace::rank), key("of", &RankPlace::of),
                   key("program", &RankPlace::program), key("host", &RankPlace::host),
                   key("mpi_library", &RankPlace::mpi_library, KeyUse::null_if_empty),
                   key("openmp_runtime", &RankPlace::openmp_runtime, KeyUse::null_if_empty),
                   key("variables", &RankPlace::variables),
                   key("started_on", &RankPlace::started_on), key("threads", &RankPlace::threads),
                   key("limits", &RankPlace::limits));
}

constexpr auto fields_of(std::type_identity<OtherProcess>) {
  return object_of(key("pid", &OtherProcess::pid), key("command", &OtherProcess::command),
                   key("user", &OtherProcess::user),
                   key("allowed_cpus", &OtherProcess::allowed_cpus, cpu_list_codec),
                   key("threads", &OtherProcess::threads));
}

constexpr auto fields_of(std::type_identity<NodeCpus>) {
  return object_of(key("host", &NodeCpus::host), key("cpu_model", &NodeCpus::cpu_model),
                   key("pus", &NodeCpus::pus), key("launcher_cpus", &NodeCpus::launcher_cpus),
                   key("list", &NodeCpus::list, KeyUse::null_if_empty),
                   key("listed_cpus", &NodeCpus::listed_cpus), key("others", &NodeCpus::others));
}

void read_into(const JsonNode& node, NodeCpus& cpus) { read_fields(node, cpus); }

void read_into(const JsonNode& node, OtherProcess& process) { read_fields(node, process); }

void read_into(const JsonNode& node, RankPlace& place) { read_fields(node, place); }

void to_json(nlohmann::json& json, const NodeCpus& cpus) { write_fields(json, cpus); }

void to_json(nlohmann::json& json, const OtherProcess& process) { write_fields(json, process); }

void to_json(nlohmann::json& json, const RankPlace& place) { write_fields(json, place); }

namespace {

namespace fs = std::filesystem;

constexpr const char* rank_prefix = "rank-";
constexpr const char* node_prefix = "node-";

template <class Part>
void leave(const Part& part, const std::string& folder, const std::string& name) {
  write_atomically(fmt::format("{}/{}.json", folder, name), json_text(nlohmann::json(part)));
}

template <class Part>
std::vector<Part> parts_in(const std::string& folder, const std::string& prefix) {
  std::vector<Part> parts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || !name.ends_with(".json")) continue;
    parts.push_back(read_value<Part>(load_json(entry.path().string())));
  }
  return parts;
}

/// The part before the first dot.
std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// RunError unless the ranks are 0, 1, ... up to the number that their launcher sets.
void check_whole(const std::vector<RankPlace>& ranks) {
  if (ranks.empty()) {
    throw RunError({"no rank was started", "the command ended well without one",
                    "does it start its program at all?"});
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].rank == static_cast<int>(i)) continue;
    const bool is_twice = i > 0 && ranks[i].rank == ranks[i - 1].rank;
    throw RunError({is_twice ? fmt::format("two ranks are {}", ranks[i].rank)
                             : fmt::format("rank {} is missing", i),
                    fmt::format("reports of places: {}", ranks.size()),
                    is_twice ? "does the launcher belong to the program's MPI?" : "run it again"});
  }
  const int said = ranks.front().of.value_or(static_cast<int>(ranks.size()));
  if (said == static_cast<int>(ranks.size())) return;
  throw RunError({fmt::format("{} of {} ranks are there", ranks.size(), said),
                  "the others have not reported their places",
                  "do all nodes see the same folder?"});
}

/// Removes other CPUs from the node and returns a note about it; empty if nothing changes.
std::string keep_cpus(NodeCpus& node, const std::vector<int>& cpus, const std::string& why) {
  const auto is_kept = [&](const placement::Pu& pu) {
    return std::ranges::count(cpus, pu.os_cpu) > 0;
  };
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(node.pus, is_kept));
  if (kept == 0 || kept == node.pus.size()) return {};
  std::string text =
      fmt::format("{} keeps the job to {} of {} CPUs of {}", why, kept, node.pus.size(), node.host);
  std::erase_if(node.pus, [&](const placement::Pu& pu) { return !is_kept(pu); });
  return text;
}

constexpr std::size_t longest_command = 40;

std::string text_of(const fs::path& file) {
  const std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// From /proc/PID/status; empty if it lacks the list.
std::vector<int> allowed_cpus(const fs::path& status) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  for (const std::string& line : split(text_of(status), '\n')) {
    if (!line.starts_with(key)) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size());
    try {
      return begin == std::string::npos ? std::vector<int>()
                                        : placement::parse_cpus(line.substr(begin));
    } catch (const InputError&) {
      return {};
    }
  }
  return {};
}

std::optional<ThreadSample> read_thread(const fs::path& folder) {
  using enum ProcessStat::Field;
  const auto stat = read_process_stat(folder / "stat");
  if (!stat) return std::nullopt;
  ThreadSample thread;
  thread.ticks = stat->number(user_ticks) + stat->number(system_ticks);
  thread.is_running = stat->state_letter() == "R";
  thread.last_cpu = static_cast<int>(stat->number(ProcessStat::last_cpu));
  thread.allowed_cpus = allowed_cpus(folder / "status");
  return thread.allowed_cpus.empty() ? std::nullopt : std::optional(thread);
}

std::string owner_of(const fs::path& folder) {
  struct stat facts {};
  if (::stat(folder.c_str(), &facts) != 0) return {};
  const passwd* entry = ::getpwuid(facts.st_uid);
  return entry == nullptr ? std::to_string(facts.st_uid) : std::string(entry->pw_name);
}

/// Name of the program; the kernel's own record is cut at 15 characters. Without arguments, as
/// these may be confidential.
std::string command_of(const fs::path& folder, const ProcessStat& stat) {
  const std::string words = text_of(folder / "cmdline");
  const std::string first = words.substr(0, words.find('\0'));
  const std::string name = first.substr(first.rfind('/') + 1);
  return name.empty() ? stat.command : shortened(name, longest_command);
}

/// nullopt for kernel threads and for processes that have ended.
std::optional<ProcessSample> read_process(const fs::path& folder) {
  constexpr std::int64_t is_of_kernel = 0x00200000;  // PF_KTHREAD
  const auto stat = read_process_stat(folder / "stat");
  if (!stat || (stat->number(ProcessStat::flags) & is_of_kernel) != 0) return std::nullopt;
  ProcessSample process{.parent = static_cast<int>(stat->number(ProcessStat::parent)),
                        .command = command_of(folder, *stat),
                        .user = owner_of(folder),
                        .threads = {}};
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder / "task", error)) {
    const auto number = as_number<int>(entry.path().filename().string());
    if (!number) continue;
    if (const auto thread = read_thread(entry.path())) process.threads.emplace(*number, *thread);
  }
  return process.threads.empty() ? std::nullopt : std::optional(process);
}

/// Ticks that a thread used between two samples; 0 for a new thread.
std::int64_t ticks_between(const ProcessSample& before, int thread, const ThreadSample& after) {
  const auto found = before.threads.find(thread);
  return found == before.threads.end() ? 0 : after.ticks - found->second.ticks;
}

}  // namespace

bool stays_on_its_cpus(const RankBindings& all, const NodeCpus& node) {
  return std::ranges::all_of(ranks_on(all, node.host), [&](const RankPlace* rank) {
    return std::ranges::all_of(rank->threads, [&](const ThreadPlace& thread) {
      return std::ranges::includes(node.launcher_cpus, thread.allowed_cpus);
    });
  });
}

std::vector<std::string> keep_job_cpus(RankBindings& all, const JobLimits& limits) {
  std::vector<std::string> notes;
  for (NodeCpus& node : all.nodes) {
    if (limits.launcher && stays_on_its_cpus(all, node)) {
      notes.push_back(keep_cpus(node, node.launcher_cpus, "the CPU affinity of its launcher"));
    }
    if (limits.list) notes.push_back(keep_cpus(node, node.listed_cpus, node.list));
  }
  std::erase(notes, "");
  return notes;
}

std::vector<const RankPlace*> ranks_on(const RankBindings& all, const std::string& host) {
  std::vector<const RankPlace*> found;
  for (const RankPlace& rank : all.ranks) {
    if (rank.host == host) found.push_back(&rank);
  }
  return found;
}

std::size_t most_threads(const RankBindings& all) {
  std::size_t most = 0;
  for (const RankPlace& rank : all.ranks) most = std::max(most, rank.threads.size());
  return most;
}

void leave_part(const RankPlace& rank, const std::string& folder) {
  leave(rank, folder, fmt::format("{}{}-{}", rank_prefix, rank.host, ::getpid()));
}

bool claims_node(const std::string& host, const std::string& folder) {
  std::error_code error;
  return fs::create_directory(fs::path(folder) / host, error);
}

void leave_node(const NodeCpus& node, const std::string& folder) {
  leave(node, folder, node_prefix + node.host);
}

RankBindings collect_parts(const std::string& folder, const std::vector<std::string>& hosts) {
  RankBindings all{
      .nodes = {}, .ranks = parts_in<RankPlace>(folder, rank_prefix), .empty_hosts = {}};
  std::ranges::sort(all.ranks, {}, &RankPlace::rank);
  check_whole(all.ranks);
  const auto nodes = parts_in<NodeCpus>(folder, node_prefix);
  for (const RankPlace& rank : all.ranks) {
    if (std::ranges::count(all.nodes, rank.host, &NodeCpus::host) > 0) continue;
    const auto node = std::ranges::find(nodes, rank.host, &NodeCpus::host);
    if (node == nodes.end()) {
      throw RunError({fmt::format("the CPUs of node {} are not known", rank.host),
                      "its first rank ended before its report", "run it again"});
    }
    all.nodes.push_back(*node);
  }
  for (const std::string& host : hosts) {
    const auto is_it = [&](const NodeCpus& node) {
      return short_name(node.host) == short_name(host);
    };
    if (std::ranges::any_of(all.nodes, is_it) || std::ranges::count(all.empty_hosts, host) > 0)
      continue;
    all.empty_hosts.push_back(host);
  }
  return all;
}

ProcessSamples sample_processes(const std::string& proc) {
  ProcessSamples samples;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(proc, error)) {
    const auto pid = as_number<int>(entry.path().filename().string());
    if (!pid) continue;
    if (auto process = read_process(entry.path())) samples.emplace(*pid, std::move(*process));
  }
  return samples;
}

ProcessSamples sample_family(int process, const std::string& proc) {
  ProcessSamples samples;
  std::vector<int> left{process};
  while (!left.empty()) {
    const int pid = left.back();
    left.pop_back();
    const fs::path folder = fs::path(proc) / std::to_string(pid);
    auto sample = read_process(folder);
    if (!sample || samples.contains(pid)) continue;
    for (const auto& [number, thread] : sample->threads) {
      const std::string children = text_of(folder / "task" / std::to_string(number) / "children");
      for (const std::string& child : split(children, ' ')) {
        if (const auto found = as_number<int>(child)) left.push_back(*found);
      }
    }
    samples.emplace(pid, std::move(*sample));
  }
  return samples;
}

std::set<int> descendants_of(const ProcessSamples& samples, int process) {
  std::set<int> family{process};
  for (std::size_t before = 0; before != family.size();) {
    before = family.size();
    for (const auto& [pid, sample] : samples) {
      if (family.contains(sample.parent)) family.insert(pid);
    }
  }
  return family;
}

std::set<int> ancestors_of(const ProcessSamples& samples, int process) {
  std::set<int> line{process};
  for (auto found = samples.find(process); found != samples.end();) {
    if (!line.insert(found->second.parent).second) break;
    found = samples.find(found->second.parent);
  }
  return line;
}

std::vector<OtherProcess> busy_processes(const ProcessSamples& before, const ProcessSamples& after,
                                         Seconds between, const std::set<int>& own) {
  constexpr double busy_share = 0.2;
  const auto ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double least = std::max(1.0, busy_share * between.value * ticks_per_second);
  std::vector<OtherProcess> busy;
  for (const auto& [pid, process] : after) {
    const auto earlier = before.find(pid);
    if (own.contains(pid) || earlier == before.end()) continue;
    std::map<std::vector<int>, std::size_t> threads;  // by allowed CPUs
    for (const auto& [number, thread] : process.threads) {
      const auto used = static_cast<double>(ticks_between(earlier->second, number, thread));
      if (used >= least) ++threads[thread.allowed_cpus];
    }
    for (const auto& [cpus, count] : threads) {
      busy.push_back({pid, process.command, process.user, cpus, count});
    }
  }
  return busy;
}

void ThreadWatch::add(const ProcessSamples& samples, int root) {
  moments_ = std::min(moments_ + 1, window);
  for (auto& [number, seen] : threads_) seen.at_work.push_back(false);
  for (const int pid : descendants_of(samples, root)) {
    const auto process = samples.find(pid);
    if (process == samples.end()) continue;
    for (const auto& [number, thread] : process->second.threads) {
      Seen& seen = threads_[number];
      if (seen.at_work.empty()) seen.at_work.push_back(false);
      seen.at_work.back() = thread.is_running;
      seen.last = thread;
    }
  }
  for (auto& [number, seen] : threads_) {
    if (seen.at_work.size() > window) seen.at_work.erase(seen.at_work.begin());
  }
  if (moments_ < window) return;
  std::vector<ThreadPlace> now = at_work();
  if (now.size() > most_.size()) most_ = std::move(now);
}

std::vector<ThreadPlace> ThreadWatch::at_work() const {
  std::vector<ThreadPlace> places;
  for (const auto& [number, seen] : threads_) {
    const auto times = static_cast<std::size_t>(std::ranges::count(seen.at_work, true));
    if (2 * times <= moments_) continue;
    places.push_back({.allowed_cpus = seen.last.allowed_cpus,
                      .last_cpu = seen.last.last_cpu,
                      .memory_node = std::nullopt});
  }
  return places;
}

std::vector<ThreadPlace> ThreadWatch::most() const {
  if (!most_.empty() || threads_.empty()) return most_;
  std::vector<ThreadPlace> places = at_work();
  if (!places.empty()) return places;
  const ThreadSample& first = threads_.begin()->second.last;
  return {{.allowed_cpus = first.allowed_cpus,
           .last_cpu = first.last_cpu,
           .memory_node = std::nullopt}};
}

}  // namespace hockney::where
