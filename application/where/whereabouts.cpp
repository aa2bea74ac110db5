#include "application/where/whereabouts.hpp"

#include <unistd.h>
#include <algorithm>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/text.hpp"

namespace hockney::where {
namespace {

namespace fs = std::filesystem;

constexpr const char* rank_prefix = "rank-";
constexpr const char* node_prefix = "node-";

template <class Part>
void leave(const Part& part, const std::string& folder, const std::string& name) {
  write_atomically(folder + "/" + name + ".json", json_text(nlohmann::json(part)));
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

/// What is before the first dot.
std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// RunError unless the ranks are 0, 1 and so on, as many as their launcher says.
void check_whole(const std::vector<RankPlace>& ranks) {
  if (ranks.empty()) {
    throw RunError({"no rank was started", "the command ended well without one",
                    "does it start its program at all?"});
  }
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i].rank == static_cast<int>(i)) continue;
    const bool is_twice = i > 0 && ranks[i].rank == ranks[i - 1].rank;
    const std::string number = std::to_string(is_twice ? ranks[i].rank : static_cast<int>(i));
    throw RunError({is_twice ? "two ranks are " + number : "rank " + number + " is missing",
                    std::to_string(ranks.size()) + " have told where they are",
                    is_twice ? "does the launcher belong to the program's MPI?" : "run it again"});
  }
  const int said = ranks.front().of.value_or(static_cast<int>(ranks.size()));
  if (said == static_cast<int>(ranks.size())) return;
  throw RunError({std::to_string(ranks.size()) + " of " + std::to_string(said) + " ranks are there",
                  "the others have not told where they are", "do all nodes see the same folder?"});
}

/// Takes the other CPUs from the node, and says why; empty where it has none, or no others.
std::string keep_cpus(NodeCpus& node, const std::vector<int>& cpus, const std::string& why) {
  const auto is_kept = [&](const placement::Pu& pu) {
    return std::ranges::count(cpus, pu.os_cpu) > 0;
  };
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(node.pus, is_kept));
  if (kept == 0 || kept == node.pus.size()) return {};
  const std::string text = why + " keeps the job to " + std::to_string(kept) + " of " +
                           std::to_string(node.pus.size()) + " CPUs of " + node.host;
  std::erase_if(node.pus, [&](const placement::Pu& pu) { return !is_kept(pu); });
  return text;
}

}  // namespace

bool stays_on_its_cpus(const Whereabouts& all, const NodeCpus& node) {
  return std::ranges::all_of(ranks_on(all, node.host), [&](const RankPlace* rank) {
    return std::ranges::all_of(rank->threads, [&](const ThreadPlace& thread) {
      return std::ranges::includes(node.launcher_cpus, thread.allowed_cpus);
    });
  });
}

std::vector<std::string> keep_job_cpus(Whereabouts& all, const JobLimits& limits) {
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

std::vector<const RankPlace*> ranks_on(const Whereabouts& all, const std::string& host) {
  std::vector<const RankPlace*> found;
  for (const RankPlace& rank : all.ranks) {
    if (rank.host == host) found.push_back(&rank);
  }
  return found;
}

std::size_t most_threads(const Whereabouts& all) {
  std::size_t most = 0;
  for (const RankPlace& rank : all.ranks) most = std::max(most, rank.threads.size());
  return most;
}

void leave_part(const RankPlace& rank, const std::string& folder) {
  leave(rank, folder, rank_prefix + rank.host + "-" + std::to_string(::getpid()));
}

bool claims_node(const std::string& host, const std::string& folder) {
  std::error_code error;
  return fs::create_directory(fs::path(folder) / host, error);
}

void leave_node(const NodeCpus& node, const std::string& folder) {
  leave(node, folder, node_prefix + node.host);
}

Whereabouts collect_parts(const std::string& folder, const std::vector<std::string>& hosts) {
  Whereabouts all{
      .nodes = {}, .ranks = parts_in<RankPlace>(folder, rank_prefix), .empty_hosts = {}};
  std::ranges::sort(all.ranks, {}, &RankPlace::rank);
  check_whole(all.ranks);
  const auto nodes = parts_in<NodeCpus>(folder, node_prefix);
  for (const RankPlace& rank : all.ranks) {
    if (std::ranges::count(all.nodes, rank.host, &NodeCpus::host) > 0) continue;
    const auto node = std::ranges::find(nodes, rank.host, &NodeCpus::host);
    if (node == nodes.end()) {
      throw RunError({"the CPUs of node " + rank.host + " are not known",
                      "its first rank ended before it told", "run it again"});
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

}  // namespace hockney::where
