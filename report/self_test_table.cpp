#include "report/self_test_table.hpp"

#include <iomanip>

#include "core/text.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

constexpr int what_width = 38;
constexpr int found_width = 12;
constexpr int share_interval_width = 16;
constexpr int median_ratio_width = 14;

void print_line(std::ostream& out, const std::string& what, const Rate& rate,
                const std::optional<double>& ratio = std::nullopt) {
  const auto share = rate.share();
  out << std::left << std::setw(what_width) << what << std::right << std::setw(found_width)
      << std::to_string(rate.hits) + "/" + std::to_string(rate.trials) << std::setw(share_width)
      << (share ? significant(per_cent * *share, 3) : "-") << std::setw(share_interval_width)
      << interval_text(rate.interval(), per_cent, 3);
  if (ratio) out << std::setw(median_ratio_width) << significant(*ratio);
  out << '\n';
}

std::string name_of(const VariantVerdicts& verdicts) {
  if (verdicts.planted == 0) return "false alarms (only the name differs)";
  return "power, " + significant(per_cent * verdicts.planted, 3) + " % slower";
}

/// A time with its unit; "-" when it is not known.
std::string clock_time_text(const std::optional<double>& seconds) {
  return seconds ? significant(nanoseconds * *seconds, 3) + " ns" : "-";
}

void print_clock(std::ostream& out, const ClockVerdict& clock) {
  if (!clock.truth) {
    out << "  clock not tested: " << inert(clock.reason) << '\n';
    return;
  }
  print_line(out, "clock syncs within their bound", clock.truth->within);
  out << "  error of these syncs (truth: 0): median "
      << clock_time_text(clock.truth->median_error_seconds) << ", largest "
      << clock_time_text(clock.truth->largest_error_seconds) << "; their bound: median "
      << clock_time_text(clock.truth->median_bound_seconds) << '\n';
}

}  // namespace

void print_self_test(std::ostream& out, const SelfTest& test) {
  out << "self-test of " << test.launches << " launches, in campaigns of " << test.launches_each
      << '\n'
      << std::left << std::setw(what_width) << "" << std::right << std::setw(found_width) << "found"
      << std::setw(share_width) << "%" << std::setw(share_interval_width) << "interval[%]"
      << std::setw(median_ratio_width) << "median ratio" << '\n';
  for (const VariantVerdicts& verdicts : test.variants) {
    print_line(out, name_of(verdicts), verdicts.different, verdicts.ratio);
    if (verdicts.any.trials > 0) print_line(out, "  any point, judged jointly", verdicts.any);
  }
  print_line(out, "coverage, launches at random", test.covered_at_random);
  print_line(out, "coverage, consecutive launches", test.covered_in_blocks);
  print_clock(out, test.clock);
  out << "  each comparison at 5 % by itself; intervals: 95 %, as if comparisons were "
         "independent\n";
}

}  // namespace hockney
