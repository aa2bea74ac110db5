#include "models/fit_set.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/json_node.hpp"
#include "core/text.hpp"

namespace hockney::models {

FitSet fit_curves(const Curves& curves, const FitOptions& options) {
  FitSet set{.records_used = curves.records_used,
             .records_left_out = curves.records_left_out,
             .series_without_time = curves.series_without_time};
  for (const Curve& curve : curves.curves) {
    auto outcome = fit_curve(curve, options);
    if (auto* fit = std::get_if<Fit>(&outcome)) {
      set.fits.push_back(std::move(*fit));
    } else {
      set.failures.push_back(std::get<FitFailure>(std::move(outcome)));
    }
  }
  return set;
}

std::vector<FitWarning> warnings(const Fit& fit) {
  std::vector<FitWarning> found;
  const auto lacks_interval = [](const Segment& segment) { return !segment.alpha_seconds; };
  if (std::ranges::any_of(fit.segments, lacks_interval)) found.push_back(FitWarning::few_launches);
  if (fit.confirmed_by == Confirmation::bic) found.push_back(FitWarning::unconfirmed_breakpoints);
  if (!fit.rejected.empty()) found.push_back(FitWarning::rejected_breakpoints);
  if (fit.missing_cells > 0) found.push_back(FitWarning::missing_cells);
  if (!fit.errors.off.empty()) found.push_back(FitWarning::lines_off);
  return found;
}

namespace {

/// "btl_vader_eager_limit" to "btl_vader_": a component's variables begin alike.
std::string component_of(const std::string& variable) {
  const std::size_t first = variable.find('_');
  const std::size_t second = first == std::string::npos ? first : variable.find('_', first + 1);
  return second == std::string::npos ? variable : variable.substr(0, second + 1);
}

std::optional<std::int64_t> positive_number(const std::string& text) {
  const auto value = as_number<std::int64_t>(text);
  return value && *value > 0 ? value : std::nullopt;
}

void add(std::vector<KnownLimit>& limits, const KnownLimit& limit) {
  if (std::ranges::find(limits, limit) == limits.end()) limits.push_back(limit);
}

void add_measured(std::vector<KnownLimit>& limits, const Protocol& protocol) {
  if (protocol.eager_limit_bytes) add(limits, {"eager limit", *protocol.eager_limit_bytes});
  for (const EagerLimit& found : protocol.eager_probes) {
    if (found.receiver != "asleep" || !found.limit_bytes || !found.held_bytes) continue;
    if (found.limit_bytes == protocol.eager_limit_bytes) continue;
    add(limits, {"limit of a receiver asleep", *found.limit_bytes});
  }
}

void add_stated(std::vector<KnownLimit>& limits, const Protocol& protocol,
                const std::map<std::string, std::string>& settings) {
  for (const StatedLimit& stated : protocol.stated) {
    const std::string component = component_of(stated.variable);
    for (const auto& [name, text] : settings) {
      if (!name.starts_with(component) || !is_message_size(name)) continue;
      const auto value = positive_number(text);
      if (value && *value > stated.header_bytes && name != stated.variable) {
        add(limits, {name, *value - stated.header_bytes});
      }
    }
  }
}

}  // namespace

std::optional<std::vector<KnownLimit>> known_limits(std::span<const Record> records,
                                                    const std::string& mpi_library,
                                                    const std::optional<std::string>& hop) {
  std::optional<std::vector<KnownLimit>> limits;
  for (const Record& record : records) {
    if (record.provenance.mpi.library != mpi_library) continue;
    for (const Protocol& protocol : record.protocols) {
      if (protocol.hop != hop) continue;
      if (!limits) limits.emplace();
      add_measured(*limits, protocol);
      add_stated(*limits, protocol, record.provenance.mpi.settings);
    }
  }
  return limits;
}

std::vector<std::string> names_of(const FittedBreakpoint& breakpoint,
                                  const std::vector<KnownLimit>& limits) {
  const auto after = static_cast<double>(breakpoint.after.value);
  const auto before = static_cast<double>(breakpoint.before.value);
  const double step = after > 0 ? before / after : 1;
  for (const double reach : {1.0, step}) {
    std::vector<std::string> names;
    for (const KnownLimit& limit : limits) {
      const auto bytes = static_cast<double>(limit.bytes);
      if (bytes >= after / reach && bytes < before * reach) {
        names.push_back(fmt::format("{} ({} B)", limit.name, limit.bytes));
      }
    }
    if (!names.empty()) return names;
  }
  return {};
}

void name_breakpoints(FitSet& set, std::span<const Record> records) {
  for (Fit& fit : set.fits) {
    const auto limits = known_limits(records, fit.mpi_library, fit.point.hop);
    if (!limits) continue;
    for (FittedBreakpoint& breakpoint : fit.breakpoints) {
      breakpoint.names = names_of(breakpoint, *limits);
    }
  }
}

}  // namespace hockney::models
