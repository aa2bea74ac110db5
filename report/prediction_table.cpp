#include "report/prediction_table.hpp"

#include <iomanip>

#include "core/inert_text.hpp"
#include "core/names.hpp"
#include "core/sizes.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

std::string remarks(const PredictedTime& row) {
  std::vector<std::string> parts{row.form};
  const Extrapolation& beyond = row.prediction.extrapolated;
  if (beyond.in_ranks) parts.emplace_back("extrapolated in ranks");
  if (beyond.in_bytes) parts.emplace_back("extrapolated in bytes");
  if (!row.no_interval.empty()) parts.push_back("no interval: " + row.no_interval);
  if (const auto objection = objection_to(row)) parts.push_back("forced: " + objection->why);
  return inert(join(parts, "; "));
}

}  // namespace

void print_prediction_table(std::ostream& out, const CollectiveQuestion& question,
                            const std::vector<PredictedTime>& rows) {
  const std::string algorithm = question.algorithm.empty() ? "default" : question.algorithm;
  out << inert(question.operation + " algorithm=" + algorithm) << '\n'
      << std::setw(8) << "ranks" << std::setw(12) << "bytes" << std::setw(14) << "time [us]"
      << std::setw(24) << "interval" << std::setw(14) << "held-out"
      << "  how\n";
  for (const PredictedTime& row : rows) {
    const auto& held_out = row.prediction.held_out;
    out << std::setw(8) << row.work.ranks << std::setw(12) << format_bytes(row.work.bytes)
        << std::setw(14) << significant(row.prediction.seconds * microseconds) << std::setw(24)
        << interval_text(row.prediction.interval, microseconds) << std::setw(14)
        << error_text(held_out) << "  " << remarks(row) << '\n';
  }
}

}  // namespace hockney
