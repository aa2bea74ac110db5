#include "report/protocol_table.hpp"

#include <algorithm>
#include <iomanip>

#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "report/columns.hpp"
#include "report/number_text.hpp"
#include "report/protocol_rows.hpp"

namespace hockney {
namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr int word_width = 13;
constexpr int answer_width = 22;
constexpr int moment_width = 44;

std::string joined(const std::set<std::string>& answers) {
  return inert(join({answers.begin(), answers.end()}, " or "));
}

void print_limits(std::ostream& out, const PairReport& report) {
  out << std::left << "  " << std::setw(word_width) << "call" << std::setw(word_width) << "receiver"
      << std::setw(word_width) << "layout" << std::right << std::setw(answer_width) << "limit[B]"
      << std::setw(count_width) << "searches" << '\n';
  for (const ProtocolRow& row : report.limits) {
    out << std::left << "  " << std::setw(word_width) << inert(row.call) << std::setw(word_width)
        << inert(row.receiver) << std::setw(word_width) << inert(row.datatype) << std::right
        << std::setw(answer_width) << joined(row.answers) << std::setw(count_width) << row.searches
        << '\n';
  }
  if (!report.stated.empty()) out << "  stated: " << joined(report.stated) << '\n';
  if (!report.flags.empty()) {
    out << "  flags: " << inert(join({report.flags.begin(), report.flags.end()}, " ")) << '\n';
  }
}

void print_unexpected(std::ostream& out, const PairReport& report) {
  for (const UnexpectedRow& row : report.unexpected) {
    out << "  taken unreceived, of " << row.bytes << " B, receiver " << inert(row.receiver) << ": "
        << joined(row.answers) << '\n';
  }
}

std::string moment_text(const MemoryUse& use) {
  std::string text = inert(use.moment);
  if (use.peers) text += ", " + std::to_string(*use.peers) + (*use.peers == 1 ? " peer" : " peers");
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
  out << "memory of a rank" << (setting.empty() ? "" : " setting=" + inert(setting))
      << ", the most of all readings\n"
      << "  " << std::left << std::setw(moment_width) << "moment" << std::right
      << std::setw(count_width) << "PSS[MiB]" << std::setw(count_width) << "RSS[MiB]"
      << std::setw(answer_width) << "shared memory[MiB]" << std::setw(count_width) << "readings"
      << '\n';
  for (const MemoryRow& row : rows) {
    out << "  " << std::left << std::setw(moment_width) << moment_text(row.largest) << std::right
        << std::setw(count_width) << mebibytes_text(row.largest.pss_bytes) << std::setw(count_width)
        << mebibytes_text(row.largest.rss_bytes) << std::setw(answer_width)
        << mebibytes_text(row.largest.shared_bytes) << std::setw(count_width) << row.readings
        << '\n';
  }
  out << '\n';
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
  if (reports.empty()) return;
  for (const PairReport& report : reports) {
    out << inert(report.title) << ", " << report.launches
        << (report.launches == 1 ? " launch\n" : " launches\n");
    print_limits(out, report);
    print_unexpected(out, report);
    out << '\n';
  }
  for (const auto& [setting, rows] : memory_rows(records)) print_memory(out, setting, rows);
  print_headers(out, records);
}

}  // namespace hockney
