#include "report/protocol_table.hpp"

#include <algorithm>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
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
  return a.moment == b.moment && a.peers == b.peers && a.communicators == b.communicators &&
         a.messages == b.messages && a.message_bytes == b.message_bytes;
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

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr int word_width = 13;
constexpr int answer_width = 22;
constexpr int moment_width = 44;

std::string joined(const std::set<std::string>& answers) {
  return inert(join({answers.begin(), answers.end()}, " or "));
}

void print_limits(std::ostream& out, const PairReport& report) {
  Table table({{"call", word_width, Align::left},
               {"receiver", word_width, Align::left},
               {"layout", word_width, Align::left},
               {"limit[B]", answer_width},
               {"searches", count_width}},
              "  ");
  table.header();
  for (const ProtocolRow& row : report.limits) {
    table.row({inert(row.call), inert(row.receiver), inert(row.datatype), joined(row.answers),
               std::to_string(row.searches)});
  }
  if (!report.stated.empty()) table.text("  stated: " + joined(report.stated));
  if (!report.flags.empty()) {
    table.text("  flags: " + inert(join({report.flags.begin(), report.flags.end()}, " ")));
  }
  for (const UnexpectedRow& row : report.unexpected) {
    table.text("  taken unreceived, of " + std::to_string(row.bytes) + " B, receiver " +
               inert(row.receiver) + ": " + joined(row.answers));
  }
  out << table;
}

std::string moment_text(const MemoryUse& use) {
  std::string text = inert(use.moment);
  if (use.peers) text += ", " + count_text(static_cast<std::size_t>(*use.peers), "peer");
  if (use.communicators) {
    text += ", " + count_text(static_cast<std::size_t>(*use.communicators), "communicator");
  }
  if (use.messages && use.message_bytes) {
    text +=
        ", " + std::to_string(*use.messages) + " x " + std::to_string(*use.message_bytes) + " B";
  }
  return text;
}

std::string mebibytes_text(std::int64_t bytes) {
  return significant(static_cast<double>(bytes) / mebibyte);
}

void print_memory(std::ostream& out, const std::string& setting,
                  const std::vector<MemoryRow>& rows) {
  Table table({{"moment", moment_width, Align::left},
               {"PSS[MiB]", count_width},
               {"RSS[MiB]", count_width},
               {"shared memory[MiB]", answer_width},
               {"readings", count_width}},
              "  ");
  table.text("memory of a rank" + (setting.empty() ? "" : " setting=" + inert(setting)) +
             ", the most of all readings");
  table.header();
  for (const MemoryRow& row : rows) {
    table.row({moment_text(row.largest), mebibytes_text(row.largest.pss_bytes),
               mebibytes_text(row.largest.rss_bytes), mebibytes_text(row.largest.shared_bytes),
               std::to_string(row.readings)});
  }
  out << table << '\n';
}

/// What the library keeps for itself is the same whatever the limit, if the two are one thing.
void print_headers(std::ostream& out, std::span<const Record> records) {
  for (const auto& [variable, sizes] : headers(records)) {
    out << "header of " << inert(variable) << ": " << join_numbers(sizes, " or ") << " B"
        << (sizes.size() > 1 ? "  header-differs" : "") << '\n';
  }
}

}  // namespace

void print_protocol_tables(std::ostream& out, std::span<const Record> records) {
  const std::vector<PairReport> reports = pair_reports(records);
  for (const PairReport& report : reports) {
    out << inert(report.title) << ", " << count_text(report.launches, "launch") << '\n';
    print_limits(out, report);
    out << '\n';
  }
  for (const auto& [setting, rows] : memory_rows(records)) print_memory(out, setting, rows);
  print_headers(out, records);
}

namespace {

std::string value_text(const ControlVariable& variable) {
  if (!variable.value) return "?";
  const auto has_value = [&](const PermittedValue& choice) {
    return choice.number && std::to_string(*choice.number) == *variable.value;
  };
  const auto choice = std::ranges::find_if(variable.choices, has_value);
  if (choice != variable.choices.end()) return choice->name;
  return variable.value->empty() ? "''" : *variable.value;
}

}  // namespace

void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables) {
  for (const ControlVariable& variable : variables) {
    out << inert(environment_name(variable) + " = " + value_text(variable));
    if (!variable.scope.empty()) out << "  (" << inert(variable.scope) << ")";
    out << '\n';
    if (!variable.aliases.empty()) out << "    also: " << inert(join(variable.aliases)) << '\n';
    if (variable.choices.empty()) continue;
    out << "    one of: " << inert(join(strings_of(variable.choices, &PermittedValue::name)))
        << '\n';
  }
}

}  // namespace hockney::report
