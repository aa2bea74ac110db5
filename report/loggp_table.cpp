#include "report/loggp_table.hpp"

#include <iomanip>
#include <string_view>

#include "core/inert_text.hpp"
#include "core/sizes.hpp"
#include "report/number_text.hpp"

namespace hockney {
namespace {

constexpr int parameter_name_width = 8;
constexpr int parameter_value_width = 12;
constexpr int parameter_interval_width = 24;

std::string_view text_of(LogGpWarning warning) {
  switch (warning) {
    case LogGpWarning::negative_latency:
      return "L is negative: the overheads alone take longer than a message, so they overlap";
    case LogGpWarning::gap_below_send:
      return "g is below o_s: messages in a row are sent faster than to a receiver that is late";
    case LogGpWarning::gap_below_receive:
      break;
  }
  return "g is below o_r: messages in a row are received faster than those that lie there";
}

void print_parameter(std::ostream& out, std::string_view name, const LogGpParameter& parameter,
                     std::string_view unit) {
  out << "  " << std::left << std::setw(parameter_name_width) << name << std::right
      << std::setw(parameter_value_width) << significant(parameter.value * nanoseconds)
      << std::setw(parameter_interval_width) << interval_text(parameter.interval, nanoseconds)
      << "  " << unit << '\n';
}

void print_title(std::ostream& out, const LogGp& model) {
  out << "\nLogGP";
  if (!model.setting.empty()) out << " setting=" << inert(model.setting);
  if (model.hop) out << " hop=" << inert(*model.hop);
  if (model.pair.size() == 2) out << " pair=" << model.pair[0] << '-' << model.pair[1];
  out << ": " << model.launches << (model.launches == 1 ? " launch" : " launches")
      << ", o_s, o_r, L and g at " << format_bytes({model.bytes}) << " B\n";
}

}  // namespace

void print_loggp_table(std::ostream& out, const std::vector<LogGp>& models) {
  for (const LogGp& model : models) {
    print_title(out, model);
    print_parameter(out, "o_s", model.send_overhead_seconds, "ns");
    print_parameter(out, "o_r", model.receive_overhead_seconds, "ns");
    print_parameter(out, "L", model.latency_seconds, "ns");
    print_parameter(out, "g", model.gap_seconds, "ns");
    if (const auto& gap = model.gap_seconds_per_byte) print_parameter(out, "G", *gap, "ns/B");
    if (const auto& error = model.largest_error) {
      out << "  largest error over the sizes measured: " << significant(100 * *error, 2) << " %\n";
    }
    for (const LogGpWarning warning : model.warnings) out << "  note: " << text_of(warning) << '\n';
  }
}

}  // namespace hockney
