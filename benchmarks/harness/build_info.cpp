#include "benchmarks/harness/environment.hpp"
#include "core/environment.hpp"

// Alone: its revision changes with every commit, and it is compiled again.
namespace hockney::benchmarks {

Build build_info() { return build_of_this(); }

}  // namespace hockney::benchmarks
