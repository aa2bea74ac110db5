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

/// Where the help has the option of an axis.
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
  std::vector<std::string> words{};  ///< that "all" stands for
  /// The value of a word that an option has; InputError for a bad one.
  std::function<ParameterValue(const std::string& option, const std::string& text)> read{};
  std::string type{};  ///< what the help says of values that are more than the words
};

/// One axis of points: a parameter, the option that chooses its values, and the operations whose
/// points have it.
struct Axis {
  AxisValues values;
  Section section = Section::none;
  std::string option{};  ///< empty: none, its values come from elsewhere
  std::string help{};
  std::string usual{};  ///< the default, in the words of the help
  /// The operations that have it; null: those that say so (Descriptor::own).
  bool (*applies)(const Descriptor& operation) = nullptr;
  std::string why_not{};  ///< it applies to none of the operations; empty: that is no error
  /// The values where none are chosen; null: points do not say it then.
  std::vector<ParameterValue> (*otherwise)(const Descriptor& operation) = nullptr;
  /// Whether points that say so much already have it; null: all have.
  bool (*applies_at)(const Parameters& parameters) = nullptr;

  [[nodiscard]] bool concerns(const Descriptor& operation) const {
    return applies == nullptr ? operation.own.contains(*values.parameter) : applies(operation);
  }
};

/// Every axis. Points are in this order: the values of the last axis follow each other.
const std::vector<Axis>& axes();

/// The options of a section, in the order of the axes. Not one that is there already.
void add_axes(CommandLine& app, Section section, LaunchOptions& options);

/// The parameters of a side of a guideline.
Parameters parameters_of(const GuidelineSide& side);

/// The parameters of every point of an operation at one size, in hockney's own way of timing; then
/// those with hot buffers once more for every suite whose numbers are asked for.
std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options);

/// The same of all points of one size that differ in the work beside their calls only.
std::string name_without_work(Point point);

}  // namespace hockney::benchmarks::programs
