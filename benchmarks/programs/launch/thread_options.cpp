#include <algorithm>
#include <vector>

#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/threads.hpp"
#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"

namespace hockney::benchmarks::programs {
void add_thread_options(CLI::App& app, LaunchOptions& options) {
  add_axes(app, Section::threads, options);
  app.add_flag("--same-cores", options.same_cores,
               "With N threads every N-th rank works, and its threads run where the others would: "
               "are threads slower than as many ranks? 'hockney guidelines' judges it");
}

void hold_threads_to_ranks(LaunchOptions& options) {
  std::vector<int> threads = options.choices.of(threads_parameter);
  if (threads.empty()) threads = {1, 2};
  if (std::ranges::find(threads, 1) == threads.end()) {
    threads.insert(threads.begin(), 1);  // the ranks that threads are held to
  }
  options.choices.set(threads_parameter, threads);
  for (const Guideline& guideline : guidelines()) {
    const bool is_measured =
        std::ranges::find(options.operations, guideline.left.operation) != options.operations.end();
    if (guideline.map != SideMap::threads_as_ranks || !is_measured) continue;
    options.guidelines.push_back(guideline);
  }
}

}  // namespace hockney::benchmarks::programs
