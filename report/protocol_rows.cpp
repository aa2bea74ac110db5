#include "report/protocol_rows.hpp"

#include <algorithm>

#include "core/sizes.hpp"

namespace hockney {
namespace {

std::string setting_name(const Record& record) {
  return record.campaign ? record.campaign->setting : std::string();
}

std::string title_of(const Record& record, const Protocol& protocol) {
  std::string title = "protocol";
  if (record.campaign) title += " setting=" + record.campaign->setting;
  if (protocol.hop) title += " hop=" + *protocol.hop;
  if (protocol.path) title += " path=" + *protocol.path;
  if (protocol.pair.size() == 2) {
    title += " pair=" + std::to_string(protocol.pair[0]) + "-" + std::to_string(protocol.pair[1]);
  }
  return title + " (" + record.provenance.mpi.library + ")";
}

std::string answer_of(const HandOver& found) {
  if (!found.limit_bytes) return "every message held";
  if (!found.held_bytes) return "none up to " + format_bytes({found.most_bytes});
  return std::to_string(*found.limit_bytes);
}

std::string answer_of(const Unexpected& found) {
  if (!found.accepted) return std::to_string(found.most) + " and more";
  return std::to_string(*found.accepted);
}

/// The element that `is_it`, made of `fresh` when there is none.
template <class Value, class Predicate>
Value& find_or_add(std::vector<Value>& values, const Value& fresh, Predicate is_it) {
  const auto found = std::ranges::find_if(values, is_it);
  return found != values.end() ? *found : values.emplace_back(fresh);
}

void add(PairReport& report, const HandOver& found) {
  const auto is_it = [&](const ProtocolRow& row) {
    return row.call == found.call && row.receiver == found.receiver &&
           row.datatype == found.datatype;
  };
  ProtocolRow& row =
      find_or_add(report.limits, {found.call, found.receiver, found.datatype, {}, 0}, is_it);
  row.answers.insert(answer_of(found));
  ++row.searches;
}

void add(PairReport& report, const Unexpected& found) {
  const auto is_it = [&](const UnexpectedRow& row) {
    return row.bytes == found.bytes && row.receiver == found.receiver;
  };
  find_or_add(report.unexpected, {found.bytes, found.receiver, {}}, is_it)
      .answers.insert(answer_of(found));
}

bool same_moment(const MemoryUse& a, const MemoryUse& b) {
  return a.moment == b.moment && a.peers == b.peers && a.messages == b.messages &&
         a.message_bytes == b.message_bytes;
}

}  // namespace

std::vector<PairReport> pair_reports(std::span<const Record> records) {
  std::vector<PairReport> reports;
  for (const Record& record : records) {
    for (const Protocol& protocol : record.protocols) {
      const std::string title = title_of(record, protocol);
      PairReport& report = find_or_add(
          reports, {.title = title}, [&](const PairReport& known) { return known.title == title; });
      ++report.launches;
      for (const HandOver& found : protocol.hand_overs) add(report, found);
      for (const Unexpected& found : protocol.unexpected) add(report, found);
      for (const StatedLimit& limit : protocol.stated) {
        report.stated.insert(limit.variable + " " + std::to_string(limit.value_bytes) + " - " +
                             std::to_string(limit.header_bytes));
      }
      report.flags.insert(protocol.flags.begin(), protocol.flags.end());
    }
  }
  return reports;
}

std::map<std::string, std::vector<MemoryRow>> memory_rows(std::span<const Record> records) {
  std::map<std::string, std::vector<MemoryRow>> rows;
  for (const Record& record : records) {
    for (const MemoryUse& use : record.memory) {
      MemoryRow& row =
          find_or_add(rows[setting_name(record)], {.largest = use},
                      [&](const MemoryRow& known) { return same_moment(known.largest, use); });
      if (use.pss_bytes > row.largest.pss_bytes) row.largest = use;
      ++row.readings;
    }
  }
  return rows;
}

std::map<std::string, std::set<std::int64_t>> headers(std::span<const Record> records) {
  std::map<std::string, std::set<std::int64_t>> found;
  for (const Record& record : records) {
    for (const Protocol& protocol : record.protocols) {
      for (const StatedLimit& limit : protocol.stated) {
        found[limit.variable].insert(limit.header_bytes);
      }
    }
  }
  return found;
}

}  // namespace hockney
