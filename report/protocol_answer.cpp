#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/text.hpp"
#include "report/protocol_table.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

constexpr std::size_t few_pairs = 3;

/// What all launches of one setting found between the ranks of one pair.
struct PairFindings {
  std::string name;
  std::set<std::int64_t> limits;
  std::string reason;  ///< of a launch without a limit
  std::set<std::string> stated;
  std::set<std::string> flags;
  std::optional<Unexpected> asleep;  ///< of the largest messages of which any are taken

  void add(const Protocol& protocol) {
    if (protocol.eager_limit_bytes) limits.insert(*protocol.eager_limit_bytes);
    if (!protocol.reason.empty()) reason = protocol.reason;
    for (const StatedLimit& limit : protocol.stated) {
      stated.insert(limit.variable + " " + std::to_string(limit.value_bytes) +
                    (limit.header_bytes > 0
                         ? " less " + std::to_string(limit.header_bytes) + " of header"
                         : ""));
    }
    flags.insert(protocol.flags.begin(), protocol.flags.end());
    for (const Unexpected& found : protocol.unexpected) {
      const auto rank_of = [](const Unexpected& one) {
        return std::pair(one.accepted != 0, one.bytes);
      };
      const bool is_better = !asleep || rank_of(found) > rank_of(*asleep);
      if (found.receiver == "asleep" && is_better) asleep = found;
    }
  }
};

std::string name_of(const Record& record, const Protocol& protocol, bool has_settings) {
  const std::string name = has_settings && record.campaign ? record.campaign->setting + " " : "";
  if (protocol.hop) return name + *protocol.hop;
  if (protocol.pair.size() != 2) return name + "ranks";
  return name + std::to_string(protocol.pair[0]) + "-" + std::to_string(protocol.pair[1]);
}

std::vector<PairFindings> findings_of(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.campaign) settings.insert(record.campaign->setting);
  }
  std::vector<PairFindings> findings;
  for (const Record& record : records) {
    for (const Protocol& protocol : record.protocols) {
      const std::string name = name_of(record, protocol, settings.size() > 1);
      auto found = std::ranges::find(findings, name, &PairFindings::name);
      if (found == findings.end()) {
        findings.push_back(
            {.name = name, .limits = {}, .reason = {}, .stated = {}, .flags = {}, .asleep = {}});
        found = std::prev(findings.end());
      }
      found->add(protocol);
    }
  }
  return findings;
}

std::string limit_text(const PairFindings& pair) {
  if (pair.limits.empty()) {
    return "no eager limit was found" + (pair.reason.empty() ? "" : " (" + pair.reason + ")");
  }
  std::string text = "messages up to " + join_numbers(pair.limits, " or ") +
                     " B are sent without a receive (eager), larger ones wait";
  if (pair.limits.size() > 1) text += "; launches differ";
  const std::vector<std::string> stated(pair.stated.begin(), pair.stated.end());
  text += stated.empty() ? " (no limit that the library states explains it)"
                         : " (" + join(stated) + ")";
  if (!pair.flags.empty()) text += "; " + join({pair.flags.begin(), pair.flags.end()});
  return text;
}

std::string flood_text(const Unexpected& found) {
  const std::string taken =
      found.accepted ? std::to_string(*found.accepted) : std::to_string(found.most) + " and more";
  return "a receiver that sleeps takes " + taken + " messages of " + std::to_string(found.bytes) +
         " B";
}

/// A rank while messages wait, and how much more memory it has than before [B].
struct Growth {
  MemoryUse flooded;
  std::int64_t bytes = 0;
};

/// The most that a rank of this launch grew by; by 0 where nobody looked.
Growth most_growth(const Record& record) {
  std::map<int, std::int64_t> before;
  for (const MemoryUse& use : record.memory) {
    if (use.moment == "after-peer") before[use.rank] = use.pss_bytes;
  }
  Growth most;
  for (const MemoryUse& use : record.memory) {
    const auto of_rank = before.find(use.rank);
    if (use.moment != "flooded" || of_rank == before.end()) continue;
    const std::int64_t bytes = use.pss_bytes - of_rank->second;
    if (bytes > most.bytes) most = {use, bytes};
  }
  return most;
}

/// The most that waiting messages made any rank grow by.
std::string memory_text(std::span<const Record> records) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  Growth most;
  for (const Record& record : records) {
    const Growth found = most_growth(record);
    if (found.bytes > most.bytes) most = found;
  }
  if (most.bytes == 0) return {};
  return std::to_string(most.flooded.messages.value_or(0)) + " waiting messages of " +
         std::to_string(most.flooded.message_bytes.value_or(0)) + " B take up to " +
         significant(static_cast<double>(most.bytes) / mebibyte, 2) + " MiB of a rank";
}

/// A line for each pair.
std::vector<std::string> table_of(const std::vector<PairFindings>& findings) {
  Table table(
      {{"eager up to [B]", 0, Align::left}, {"bytes"}, {"  stated by the library", 0, Align::left}},
      "");
  table.header();
  for (const PairFindings& pair : findings) {
    const std::vector<std::string> stated(pair.stated.begin(), pair.stated.end());
    table.row({inert(pair.name), pair.limits.empty() ? "none" : join_numbers(pair.limits, " or "),
               "  " + inert(join(stated))},
              inert(join({pair.flags.begin(), pair.flags.end()})));
  }
  return table.lines();
}

}  // namespace

std::vector<std::string> protocol_answer(std::span<const Record> records) {
  const std::vector<PairFindings> findings = findings_of(records);
  if (findings.size() > few_pairs) return table_of(findings);
  std::vector<std::string> lines;
  for (const PairFindings& pair : findings) {
    lines.push_back(inert(pair.name + ": " + limit_text(pair)));
    if (pair.asleep) lines.push_back(inert("  " + flood_text(*pair.asleep)));
  }
  if (std::string memory = memory_text(records); !lines.empty() && !memory.empty()) {
    lines.push_back(std::move(memory));
  }
  return lines;
}

}  // namespace hockney::report
