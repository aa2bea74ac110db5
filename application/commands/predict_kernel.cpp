#include "application/commands/predict_kernel.hpp"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/cli/standard_output.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"
#include "application/screens/kernel_prediction_report.hpp"

namespace hockney::apps {
namespace {

using projection::Kernel;

/// "256x256" of a halo; "64" or "64x64" of Cannon's product.
std::vector<int> extents_of(Kernel kernel, const std::string& problem) {
  const auto refuse = [&] {
    throw InputError(
        {"bad --problem '" + problem + "'",
         kernel == Kernel::halo ? "a grid has two or three dimensions" : "matrices are square",
         kernel == Kernel::halo ? "write it like 256x256" : "write its rows: 1024"});
  };
  std::vector<int> extents;
  for (const std::string& part : split(problem, 'x')) {
    const auto number = as_number<int>(part);
    if (number.value_or(0) < 1) refuse();
    extents.push_back(number.value_or(0));
  }
  if (kernel == Kernel::cannon && extents.size() == 1) extents.push_back(extents.front());
  const bool is_good = kernel == Kernel::halo
                           ? extents.size() == 2 || extents.size() == 3
                           : extents.size() == 2 && extents.front() == extents.back();
  if (!is_good) refuse();
  return extents;
}

/// Ranks fill one node after the other; names are the site file's, or made up.
std::vector<std::string> hosts_for(int ranks, int per_node, const std::optional<SiteFile>& sites) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto node = static_cast<std::size_t>(per_node > 0 ? rank / per_node : 0);
    if (sites && node >= sites->hosts.size()) {
      throw InputError({"no hosts for " + std::to_string(ranks) + " ranks",
                        "the site file has " + std::to_string(sites->hosts.size()),
                        "put more on each with --per-node"});
    }
    hosts.push_back(sites ? sites->hosts[node] : "node" + std::to_string(node));
  }
  return hosts;
}

}  // namespace

bool is_kernel(const std::string& operation) { return find_word<Kernel>(operation).has_value(); }

ExitCode predict_kernel(const KernelQuestion& question, const MachineRecords& records,
                        const DocumentOptions& document) {
  const Kernel kernel = find_word<Kernel>(question.kernel).value_or(Kernel::halo);
  if (!question.problem || question.ranks.empty()) {
    throw InputError({"nothing to predict without --problem and --ranks",
                      "a kernel is told by its size and the numbers of its ranks",
                      "write --problem 256x256 --ranks 16,64"});
  }
  const std::vector<int> extents = extents_of(kernel, *question.problem);
  const auto sites = records.sites ? std::optional(load_sites(*records.sites)) : std::nullopt;
  const std::vector<Record> loaded = load_machine(records.paths, sites);
  report::KernelPredictionView view{.kernel = kernel,
                                    .problem = join_numbers(extents, "x"),
                                    .records = records.paths,
                                    .ranks = question.ranks,
                                    .why_not = {},
                                    .answers = {},
                                    .doubts = {}};
  const int most = std::ranges::max(question.ranks);
  const projection::Machine machine(loaded, sites,
                                    {.hosts = hosts_for(most, question.per_node, sites),
                                     .setting = records.setting,
                                     .mpi_library = ""});
  view.has_intervals = machine.has_intervals();
  view.doubts = machine.doubts();
  for (const int ranks : question.ranks) {
    view.answers.emplace_back();
    view.why_not.emplace_back();
    try {
      const projection::KernelSetup setup{kernel, extents, usual_grid(kernel, extents, ranks)};
      view.answers.back() = projection::predict_kernel(
          setup, machine, hosts_for(ranks, question.per_node, sites), loaded);
    } catch (const Error& error) {
      view.why_not.back() = error.what();
    }
  }
  show_document(to_json(view), document, [&](std::ostream& out) {
    report::print_screen(out, screen_of(view), report::ScreenSize::first, output_columns());
  });
  return ExitCode::good;
}

}  // namespace hockney::apps
