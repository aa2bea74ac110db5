#include "report/library_tables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/table.hpp"
#include "report/view.hpp"

namespace hockney::report {
namespace {

/// Sentences of the findings.
namespace words {

constexpr std::string_view unreceived = "taken unreceived, of {} B, receiver {}: {}";
constexpr std::string_view memory = "memory of a rank{}, the most of all readings";
constexpr std::string_view no_limit = "no eager limit was found{}";
constexpr std::string_view limit =
    "messages up to {} B are sent without a receive (eager), larger ones wait{} ({}){}";
constexpr std::string_view launches_differ = "; launches differ";
constexpr std::string_view not_stated = "no limit that the library states explains it";
constexpr std::string_view flood = "a receiver that sleeps takes {} messages of {} B";
constexpr std::string_view flooded_memory =
    "{} waiting messages of {} B take up to {} MiB of a rank";
constexpr std::string_view counts = "{} enumerated, {} run, {} proven, {} substituted, {} unproven";
constexpr std::string_view algorithms =
    "# shown by verification launches; =: the requested one ran; !: another ran; ?: it is unproven "
    "(docs/how-to/sweep-and-tune.md)";

}  // namespace words

std::string setting_name(const Record& record) {
  return record.campaign ? record.campaign->setting : std::string();
}

std::string title_of(const Record& record, const Protocol& protocol) {
  std::string title = "protocol";
  if (record.campaign) title += " setting=" + record.campaign->setting;
  if (protocol.hop) title += " hop=" + *protocol.hop;
  if (protocol.path) title += " path=" + *protocol.path;
  if (protocol.pair.size() == 2) title += " pair=" + join_numbers(protocol.pair, "-");
  return fmt::format("{} ({})", title, record.provenance.mpi.library);
}

std::string answer_of(const EagerLimit& found) {
  if (!found.limit_bytes) return "every message held";
  if (!found.held_bytes) return "none up to " + format_bytes({found.most_bytes});
  return std::to_string(*found.limit_bytes);
}

std::string answer_of(const Unexpected& found) {
  return found.accepted ? std::to_string(*found.accepted) : fmt::format("{} and more", found.most);
}

/// The element that satisfies `is_it`; if no element does, `fresh` is appended.
template <class Value, class Predicate>
Value& find_or_add(std::vector<Value>& values, const Value& fresh, Predicate is_it) {
  const auto found = std::ranges::find_if(values, is_it);
  return found != values.end() ? *found : values.emplace_back(fresh);
}

void add(PairReport& report, const EagerLimit& found) {
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

/// In the order of records, pairs and searches.
std::vector<PairReport> pair_reports(std::span<const Record> records) {
  std::vector<PairReport> reports;
  for (const Record& record : records) {
    for (const Protocol& protocol : record.protocols) {
      const std::string title = title_of(record, protocol);
      PairReport& report = find_or_add(
          reports, {.title = title}, [&](const PairReport& known) { return known.title == title; });
      ++report.launches;
      for (const EagerLimit& found : protocol.eager_probes) add(report, found);
      for (const Unexpected& found : protocol.unexpected) add(report, found);
      for (const StatedLimit& limit : protocol.stated) {
        report.stated.insert(
            fmt::format("{} {} - {}", limit.variable, limit.value_bytes, limit.header_bytes));
      }
      report.flags.insert(protocol.flags.begin(), protocol.flags.end());
    }
  }
  return reports;
}

/// Memory by setting, over all records of the setting.
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

constexpr double mebibyte = 1024.0 * 1024.0;
std::string answers_text(const std::set<std::string>& answers) {
  return escaped(join({answers.begin(), answers.end()}, " or "));
}

View limits_of(const PairReport& report) {
  using Limit = ProtocolRow;
  View view = make_view<Limit>(
      {{{"call", "call"}, &Limit::call},
       {{"receiver", "receiver"}, &Limit::receiver},
       {{"layout", "layout"}, &Limit::datatype},
       {{"limit", "limit[B]"}, [](const Limit& row) { return answers_text(row.answers); }},
       {{"searches", "searches", Unit::count}, &Limit::searches}},
      report.limits);
  if (!report.stated.empty()) view.add_text("stated: " + answers_text(report.stated));
  if (!report.flags.empty()) {
    view.add_text("flags: " + escaped(join({report.flags.begin(), report.flags.end()}, " ")));
  }
  for (const UnexpectedRow& row : report.unexpected) {
    view.add_text(fmt::format(words::unreceived, row.bytes, escaped(row.receiver),
                              answers_text(row.answers)));
  }
  return view;
}

std::string moment_text(const MemoryUse& use) {
  std::string text = use.moment;
  if (use.peers) text += ", " + count_text(static_cast<std::size_t>(*use.peers), "peer");
  if (use.communicators) {
    text += ", " + count_text(static_cast<std::size_t>(*use.communicators), "communicator");
  }
  if (use.messages && use.message_bytes) {
    text += fmt::format(", {} x {} B", *use.messages, *use.message_bytes);
  }
  return text;
}

Columns<MemoryRow> memory_columns() {
  const auto column = [](const char* key, const char* title, std::int64_t MemoryUse::*bytes) {
    return Column<MemoryRow>{{key, title, Unit::number}, [bytes](const MemoryRow& row) {
                               return static_cast<double>(row.largest.*bytes) / mebibyte;
                             }};
  };
  return {{{"moment", "moment"}, [](const MemoryRow& row) { return moment_text(row.largest); }},
          column("pss", "PSS[MiB]", &MemoryUse::pss_bytes),
          column("rss", "RSS[MiB]", &MemoryUse::rss_bytes),
          column("shared", "shared memory[MiB]", &MemoryUse::shared_bytes),
          {{"readings", "readings", Unit::count}, &MemoryRow::readings}};
}

void print_memory(std::ostream& out, const std::string& setting,
                  const std::vector<MemoryRow>& rows) {
  print_view(out, fmt::format(words::memory, setting.empty() ? "" : " setting=" + escaped(setting)),
             make_view(memory_columns(), rows));
}

/// The library's header is equal at every limit if the stated and the measured limit are the same
/// thing.
void print_headers(std::ostream& out, std::span<const Record> records) {
  for (const auto& [variable, sizes] : headers(records)) {
    out << "header of " << escaped(variable) << ": " << join_numbers(sizes, " or ") << " B"
        << (sizes.size() > 1 ? "  header-differs" : "") << '\n';
  }
}

std::string value_text(const ControlVariable& variable) {
  if (!variable.value) return "?";
  const auto has_value = [&](const PermittedValue& choice) {
    return choice.number && std::to_string(*choice.number) == *variable.value;
  };
  const auto choice = std::ranges::find_if(variable.choices, has_value);
  if (choice != variable.choices.end()) return choice->name;
  return variable.value->empty() ? "''" : *variable.value;
}

constexpr std::size_t few_pairs = 3;

/// Findings of all launches of one setting for the ranks of one pair.
struct PairProtocols {
  std::string name;
  std::set<std::int64_t> limits;
  std::string reason;  ///< of a launch without a limit
  std::set<std::string> stated;
  std::set<std::string> flags;
  std::optional<Unexpected> asleep;  ///< of the largest size with accepted messages

  void add(const Protocol& protocol) {
    if (protocol.eager_limit_bytes) limits.insert(*protocol.eager_limit_bytes);
    if (!protocol.reason.empty()) reason = protocol.reason;
    for (const StatedLimit& limit : protocol.stated) {
      stated.insert(fmt::format(
          "{} {}{}", limit.variable, limit.value_bytes,
          limit.header_bytes > 0 ? fmt::format(" less {} of header", limit.header_bytes) : ""));
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
  return name + (protocol.pair.size() == 2 ? join_numbers(protocol.pair, "-") : "ranks");
}

std::vector<PairProtocols> findings_of(std::span<const Record> records) {
  std::set<std::string> settings;
  for (const Record& record : records) {
    if (record.campaign) settings.insert(record.campaign->setting);
  }
  std::vector<PairProtocols> findings;
  for (const Record& record : records) {
    for (const Protocol& protocol : record.protocols) {
      const std::string name = name_of(record, protocol, settings.size() > 1);
      auto found = std::ranges::find(findings, name, &PairProtocols::name);
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

std::string limit_text(const PairProtocols& pair) {
  if (pair.limits.empty()) {
    return fmt::format(words::no_limit, pair.reason.empty() ? "" : " (" + pair.reason + ")");
  }
  const std::vector<std::string> stated(pair.stated.begin(), pair.stated.end());
  return fmt::format(words::limit, join_numbers(pair.limits, " or "),
                     pair.limits.size() > 1 ? words::launches_differ : "",
                     stated.empty() ? std::string(words::not_stated) : join(stated),
                     pair.flags.empty() ? "" : "; " + join({pair.flags.begin(), pair.flags.end()}));
}

std::string flood_text(const Unexpected& found) {
  return fmt::format(words::flood, answer_of(found), found.bytes);
}

/// A rank while messages wait, and its memory growth since before [B].
struct MemoryGrowth {
  MemoryUse flooded;
  std::int64_t bytes = 0;
};

/// The largest memory growth of a rank in this launch; 0 bytes without readings.
MemoryGrowth most_growth(const Record& record) {
  std::map<int, std::int64_t> before;
  for (const MemoryUse& use : record.memory) {
    if (use.moment == "after-peer") before[use.rank] = use.pss_bytes;
  }
  MemoryGrowth most;
  for (const MemoryUse& use : record.memory) {
    const auto of_rank = before.find(use.rank);
    if (use.moment != "flooded" || of_rank == before.end()) continue;
    const std::int64_t bytes = use.pss_bytes - of_rank->second;
    if (bytes > most.bytes) most = {use, bytes};
  }
  return most;
}

/// Text of the largest memory growth of any rank by waiting messages.
std::string memory_text(std::span<const Record> records) {
  MemoryGrowth most;
  for (const Record& record : records) {
    const MemoryGrowth found = most_growth(record);
    if (found.bytes > most.bytes) most = found;
  }
  if (most.bytes == 0) return {};
  return fmt::format(words::flooded_memory, most.flooded.messages.value_or(0),
                     most.flooded.message_bytes.value_or(0),
                     significant(static_cast<double>(most.bytes) / mebibyte, 2));
}

View limits_of(const std::vector<PairProtocols>& findings) {
  using Pair = PairProtocols;
  return make_view<Pair>(
      {{{"pair", "eager up to [B]"}, &Pair::name},
       {{"limit", "bytes"},
        [](const Pair& pair) {
          return pair.limits.empty() ? "none" : join_numbers(pair.limits, " or ");
        }},
       {{"stated", "stated by the library"},
        [](const Pair& pair) {
          return join(std::vector<std::string>(pair.stated.begin(), pair.stated.end()));
        }},
       {{"flags", ""},
        [](const Pair& pair) {
          return join({pair.flags.begin(), pair.flags.end()});
        }}},
      findings);
}

AlgorithmBlock& block_of(std::vector<AlgorithmBlock>& blocks, const std::string& library,
                         const AlgorithmUse& use) {
  const auto found = std::ranges::find_if(blocks, [&](const AlgorithmBlock& block) {
    return block.library == library && block.operation == use.operation &&
           block.ranks == use.ranks && block.parameters == use.parameters;
  });
  if (found != blocks.end()) return *found;
  return blocks.emplace_back(AlgorithmBlock{.library = library,
                                            .operation = use.operation,
                                            .ranks = use.ranks,
                                            .parameters = use.parameters});
}

AlgorithmLine& line_of(AlgorithmBlock& block, const std::string& setting,
                       const std::string& requested) {
  const auto found = std::ranges::find(block.lines, setting, &AlgorithmLine::setting);
  if (found != block.lines.end()) return *found;
  return block.lines.emplace_back(AlgorithmLine{.setting = setting, .requested = requested});
}

/// The algorithm that ran: "=" if requested, a name with "!" if another, "?" if unknown.
std::string cell_text(const AlgorithmLine& line, const AlgorithmUse& use) {
  if (use.proof == Proof::ignored) return escaped(use.ran.value_or("another")) + "!";
  if (!use.ran) return "?";
  return *use.ran == line.requested ? "=" : escaped(*use.ran);
}

std::set<Bytes> sizes_of(const AlgorithmBlock& block) {
  std::set<Bytes> sizes;
  for (const AlgorithmLine& line : block.lines) {
    for (const auto& [bytes, use] : line.uses) sizes.insert(bytes);
  }
  return sizes;
}

std::string cell_at(const AlgorithmLine& line, Bytes bytes) {
  const auto use = line.uses.find(bytes);
  return use == line.uses.end() ? "-" : cell_text(line, use->second);
}

std::string title_of(const AlgorithmBlock& block) {
  const std::string parameters = join_assignments(block.parameters, " ");
  return escaped(fmt::format("{} ranks={}{}{}, {}", block.operation, block.ranks,
                             parameters.empty() ? "" : " ", parameters,
                             block.library.substr(0, block.library.find(','))));
}

Columns<AlgorithmLine> algorithm_columns(const AlgorithmBlock& block) {
  using Line = AlgorithmLine;
  const std::set<Bytes> sizes = sizes_of(block);
  const std::vector<std::string> titles = spelt_alike({sizes.begin(), sizes.end()});
  Columns<Line> columns{{{"setting", "setting"}, &Line::setting},
                        {{"asked", "asked"}, &Line::requested}};
  for (auto title = titles.begin(); const Bytes bytes : sizes) {
    columns.push_back({{std::to_string(bytes.value), *title++},
                       [bytes](const Line& line) { return cell_at(line, bytes); }});
  }
  return columns;
}

void print_block(std::ostream& out, const AlgorithmBlock& block) {
  View view = make_view(algorithm_columns(block), block.lines);
  const AlgorithmCounts counts = count_algorithms(block);
  view.add_text(fmt::format(words::counts, counts.enumerated, counts.run, counts.proven,
                            counts.substituted, counts.unproven));
  out << '\n';
  print_view(out, "algorithms: " + title_of(block), view);
}

}  // namespace

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

void print_protocol_tables(std::ostream& out, std::span<const Record> records) {
  const std::vector<PairReport> reports = pair_reports(records);
  for (const PairReport& report : reports) {
    print_view(out, escaped(report.title) + ", " + count_text(report.launches, "launch"),
               limits_of(report));
  }
  for (const auto& [setting, rows] : memory_rows(records)) print_memory(out, setting, rows);
  print_headers(out, records);
}

void print_settings_table(std::ostream& out, const std::vector<ControlVariable>& variables) {
  for (const ControlVariable& variable : variables) {
    out << escaped(environment_name(variable) + " = " + value_text(variable));
    if (!variable.scope.empty()) out << "  (" << escaped(variable.scope) << ")";
    out << '\n';
    if (!variable.aliases.empty()) out << "    also: " << escaped(join(variable.aliases)) << '\n';
    if (variable.choices.empty()) continue;
    out << "    one of: " << escaped(join(strings_of(variable.choices, &PermittedValue::name)))
        << '\n';
  }
}

std::vector<std::string> protocol_answer(std::span<const Record> records) {
  const std::vector<PairProtocols> findings = findings_of(records);
  if (findings.size() > few_pairs) return lines_of(limits_of(findings));
  std::vector<std::string> lines;
  for (const PairProtocols& pair : findings) {
    lines.push_back(escaped(pair.name + ": " + limit_text(pair)));
    if (pair.asleep) lines.push_back(escaped("  " + flood_text(*pair.asleep)));
  }
  if (std::string memory = memory_text(records); !lines.empty() && !memory.empty()) {
    lines.push_back(std::move(memory));
  }
  return lines;
}

bool AlgorithmLine::has(Proof proof) const {
  return std::ranges::any_of(uses, [&](const auto& each) { return each.second.proof == proof; });
}

AlgorithmCounts count_algorithms(const AlgorithmBlock& block) {
  AlgorithmCounts counts;
  for (const AlgorithmLine& line : block.lines) {
    ++counts.enumerated;
    ++counts.run;
    if (line.has(Proof::ignored)) {
      ++counts.substituted;
    } else if (line.has(Proof::unproven)) {
      ++counts.unproven;
    } else {
      ++counts.proven;
    }
  }
  return counts;
}

std::vector<AlgorithmBlock> algorithm_blocks(std::span<const Record> records) {
  std::vector<AlgorithmBlock> blocks;
  for (const Record& record : records) {
    if (record.status != LaunchStatus::complete) continue;
    const std::string setting = record.campaign ? record.campaign->setting : "";
    for (const AlgorithmUse& use : record.algorithms) {
      AlgorithmBlock& block = block_of(blocks, record.provenance.mpi.library, use);
      line_of(block, setting, use.requested).uses[use.bytes] = use;
    }
  }
  return blocks;
}

void print_algorithm_tables(std::ostream& out, std::span<const Record> records) {
  const std::vector<AlgorithmBlock> blocks = algorithm_blocks(records);
  for (const AlgorithmBlock& block : blocks) print_block(out, block);
  if (blocks.empty()) return;
  out << words::algorithms << '\n';
}

}  // namespace hockney::report
