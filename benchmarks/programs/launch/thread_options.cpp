#include <algorithm>

#include "benchmarks/harness/guidelines.hpp"
#include "benchmarks/harness/threads.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::programs {
namespace {

int parse_threads(const std::string& text) {
  const int threads = parse_count<int>("--threads", text, 1);
  if (threads <= most_threads) return threads;
  throw InputError({"--threads " + text, "there are not tags enough to tell them apart",
                    "use at most " + std::to_string(most_threads)});
}

ThreadCommunicators parse_communicators(const std::string& text) {
  if (const auto use = find_word<ThreadCommunicators>(text)) return *use;
  throw InputError({"bad value '" + text + "' for --communicators", "there is no such choice",
                    suggest(text, valid_words<ThreadCommunicators>())});
}

}  // namespace

void add_thread_options(CLI::App& app, LaunchOptions& options) {
  add_list_option(app, "--threads", options.threads, {"1", "2"}, parse_threads,
                  "Threads of each rank, numbers joined by commas: each makes points of its own")
      ->type_name("N,...")
      ->default_str("1,2");
  add_list_option(app, "--communicators", options.thread_communicators,
                  valid_words<ThreadCommunicators>(), parse_communicators,
                  "Of the threads of a rank: each (one for each), shared (one for all, and tags "
                  "tell their messages apart), or all")
      ->default_str("each");
  app.add_flag("--same-cores", options.same_cores,
               "With N threads every N-th rank works, and its threads run where the others would: "
               "are threads slower than as many ranks? 'hockney guidelines' judges it");
}

void hold_threads_to_ranks(LaunchOptions& options) {
  if (options.threads.empty()) options.threads = {1, 2};
  if (std::ranges::find(options.threads, 1) == options.threads.end()) {
    options.threads.insert(options.threads.begin(), 1);  // the ranks that threads are held to
  }
  for (const Guideline& guideline : guidelines()) {
    const bool is_measured =
        std::ranges::find(options.operations, guideline.left.operation) != options.operations.end();
    if (guideline.map != SideMap::threads_as_ranks || !is_measured) continue;
    options.guidelines.push_back(guideline);
  }
}

}  // namespace hockney::benchmarks::programs
