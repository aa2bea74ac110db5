#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "components/application/profile/profile.hpp"
#include "core/statistics.hpp"

namespace hockney::applications {

// Functions behind the time of a program, from samples of its stacks. A sample is a period of CPU
// time of one thread. Samples in MPI belong to the function that called it.

/// A function, inlined or not.
struct CodeFunction {
  std::string name;    ///< demangled; "[libm.so.6]" for code of a module without names
  std::string module;  ///< path
  std::string file;    ///< of its declaration; empty: not known
  int line = 0;

  friend auto operator<=>(const CodeFunction&, const CodeFunction&) = default;
};

/// Name of an instruction: its function, and its line there.
struct CodeName {
  CodeFunction function;
  std::string file;  ///< empty: not known
  int line = 0;
};

/// Names of each frame of a profile: the innermost inlined function first. Empty: the frame is not
/// the program's, and is left out.
using FrameNames = std::vector<std::vector<CodeName>>;

/// Samples with one chain of functions.
struct NamedStack {
  std::vector<int> functions;          ///< indices, outermost first
  std::string call;                    ///< the MPI function; empty: computing
  std::map<int, std::int64_t> counts;  ///< by rank

  [[nodiscard]] std::int64_t count() const;
};

/// Samples of computing in one line.
struct SampledLine {
  int function = 0;  ///< index
  std::string file;
  int line = 0;
  std::int64_t count = 0;
};

struct SampledFunctions {
  double period_seconds = 0;
  std::vector<int> ranks;  ///< those of the profile
  std::vector<CodeFunction> functions;
  std::vector<NamedStack> stacks;
  std::vector<SampledLine> lines;  ///< most samples first
  std::int64_t computing = 0;      ///< samples outside of MPI
  std::int64_t in_mpi = 0;
  double handler_seconds = 0;  ///< cost of all samples

  /// Cost over the CPU time of all threads; nullopt without samples.
  [[nodiscard]] std::optional<double> overhead() const;
};

/// nullopt if the profile has no samples.
std::optional<SampledFunctions> sampled_functions(const profile::Profile& profile,
                                                  const FrameNames& names);

/// Computing time of one function, without the functions that it calls.
struct FunctionTime {
  int function = 0;         ///< index
  std::int64_t count = 0;   ///< samples
  std::int64_t within = 0;  ///< samples of computing in it and in functions that it calls
  std::int64_t in_mpi = 0;  ///< samples in MPI that it called
  double seconds = 0;
  double share = 0;                    ///< of computing
  std::optional<Interval> interval{};  ///< of the share, 95 %, as if samples were independent
  int slowest_rank = 0;
  double slowest_seconds = 0;
  double median_seconds = 0;      ///< over ranks
  std::optional<double> ratio{};  ///< slowest over median; nullopt if the median is 0
};

/// The functions with samples, those of most computing first.
std::vector<FunctionTime> function_times(const SampledFunctions& sampled);

/// Exact binomial interval of a share (Clopper and Pearson 1934), 95 %. nullopt without samples.
std::optional<Interval> share_interval(std::int64_t count, std::int64_t samples);

/// The function in which a rank computes longer than the mean of the others: the innermost one with
/// most of the difference, of those outside of the C library and compilers' runtimes if there is
/// one. nullopt if the difference could be chance.
std::optional<int> slower_function(const SampledFunctions& sampled, int rank);

/// A function in the place where it was called. Children stand after their parent.
struct CallNode {
  int parent = -1;    ///< index of the node; -1: none
  int function = -1;  ///< index; -1: an MPI function, `call`
  std::string call;
  std::int64_t count = 0;  ///< samples in it and below
  int depth = 0;
};

/// All calls from the outermost functions on, in depth-first order; of one parent those of most
/// samples first.
std::vector<CallNode> call_tree(const SampledFunctions& sampled);

/// "grid::solve" for "void grid::solve<double>(int)": without parameters, template arguments and
/// return type.
std::string short_name(const std::string& function);

}  // namespace hockney::applications
