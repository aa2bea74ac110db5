#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/harness/buffer_memory.hpp"
#include "benchmarks/harness/buffer_ring.hpp"
#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/communicators.hpp"
#include "benchmarks/harness/data_layout.hpp"
#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/epochs.hpp"
#include "benchmarks/harness/file_access.hpp"
#include "benchmarks/harness/payload.hpp"
#include "benchmarks/harness/rank_work.hpp"
#include "benchmarks/harness/traffic.hpp"
#include "benchmarks/programs/launch/options.hpp"
#include "core/cli/command_line.hpp"

namespace hockney::benchmarks::programs {

/// The section of the help with an axis's option.
enum class Section {
  none,
  windows,
  types,
  buffers,
  suites,
  collectives,
  layout,
  contention,
  one_sided,
  work,
  threads,
  noise,
  file_pointers,
  file_sharing,
  file_data
};

/// The values of an axis on the command line.
struct AxisValues {
  const AnyParameter* parameter = nullptr;
  std::vector<std::string> words{};  ///< meaning of "all"
  /// The value of an option's word; InputError for an invalid one.
  std::function<ParameterValue(const std::string& option, const std::string& text)> read{};
  std::string type{};  ///< form of values other than the words, for the help
};

/// One axis of points: a parameter, the option that chooses its values, and the operations whose
/// points have it.
struct Axis {
  AxisValues values;
  Section section = Section::none;
  std::string option{};  ///< empty: none, the values have another source
  std::string help{};
  std::string usual{};  ///< default, as text for the help
  /// The operations that have it; null: those that list it (Descriptor::own).
  bool (*applies)(const Descriptor& operation) = nullptr;
  std::string why_not{};  ///< error if it applies to no operation; empty: no error
  /// The values if none are chosen; null: the parameter is then left out.
  std::vector<ParameterValue> (*otherwise)(const Descriptor& operation) = nullptr;
  /// Whether points with these parameters have it; null: all have.
  bool (*applies_at)(const Parameters& parameters) = nullptr;

  [[nodiscard]] bool concerns(const Descriptor& operation) const {
    return applies == nullptr ? operation.own.contains(*values.parameter) : applies(operation);
  }
};

/// Every axis. They give the order of points: the values of the last axis are consecutive.
const std::vector<Axis>& axes();

/// Adds the options of a section, in the order of the axes, except those that exist already.
void add_axes(CommandLine& app, Section section, LaunchOptions& options);

/// The parameters of a side of a guideline.
Parameters parameters_of(const GuidelineSide& side);

/// The parameters of every point of an operation at one size: first with hockney's own timing, then
/// those with hot buffers again for every requested suite.
std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options);

/// The same name for all points of one size that differ only in the work beside their calls.
std::string name_without_work(Point point);

}  // namespace hockney::benchmarks::programs
