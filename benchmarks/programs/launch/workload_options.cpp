#include "benchmarks/programs/launch/workload_options.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "benchmarks/harness/catalogue.hpp"
#include "benchmarks/harness/operators.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"

namespace hockney {
namespace {

std::vector<std::string> parse_operations(const std::string& text) {
  std::vector<std::string> all;
  for (const CatalogueEntry& entry : catalogue()) all.emplace_back(entry.descriptor.name);
  return parse_names(text, all, [](const std::string& name) { find_operation(name); });
}

/// Whether any of the operations is so described; an option for none of them is an error.
void require_use(const std::string& option, const LaunchOptions& options,
                 bool Descriptor::*concerned, const std::string& why) {
  const auto is_concerned = [&](const std::string& name) {
    return find_operation(name).descriptor.*concerned;
  };
  if (std::ranges::any_of(options.operations, is_concerned)) return;
  throw InputError({option + " with the operations " + join(options.operations), why,
                    "leave it out, or choose other operations; see --list"});
}

void parse_data(const std::string& datatypes, const std::string& operators,
                LaunchOptions& options) {
  if (!datatypes.empty()) {
    options.datatypes = parse_names(datatypes, datatype_names(), check_datatype_name);
    require_use("--datatype", options, &Descriptor::sized, "none of them carries data");
  }
  if (!operators.empty()) {
    options.operators = parse_names(operators, operator_names(), find_operator);
    require_use("--operator", options, &Descriptor::reduces, "none of them is a reduction");
  }
}

std::vector<Suite> parse_compat(const std::string& text) {
  if (text.empty()) return {};
  std::vector<Suite> suites;
  for (const std::string& name : parse_names(text, suite_names(), parse_suite)) {
    suites.push_back(parse_suite(name));
  }
  return suites;
}

void parse_caches(const std::string& text, LaunchOptions& options) {
  if (text.empty()) return;
  for (const std::string& name : parse_names(text, cache_names(), parse_cache)) {
    options.caches.push_back(parse_cache(name));
  }
  require_use("--cache", options, &Descriptor::sized, "none of them carries data");
}

std::vector<Bytes> parse_message_sizes(const std::string& text) {
  std::vector<Bytes> sizes = parse_sizes(text);
  if (sizes.back().value > std::numeric_limits<int>::max()) {
    throw InputError({"bad size '" + format_bytes(sizes.back()) + "'",
                      "MPI 3 counts at most 2147483647 bytes in one message",
                      "use sizes below 2G"});
  }
  return sizes;
}

/// "sparse:ROUNDS" or "sparse:ROUNDS:NIGHT".
SparseDesign parse_sparse(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) {
    throw InputError({"bad value '" + text + "' for --pairs", "sparse needs a number of rounds",
                      "write sparse:" + std::to_string(usual_rounds) + ", or sparse:" +
                          std::to_string(usual_rounds) + ":3 for the fourth night"});
  }
  SparseDesign design{.rounds = parse_count<int>("--pairs sparse", parts[1], 1)};
  if (parts.size() == 3) design.night = parse_count<std::uint64_t>("--pairs sparse", parts[2], 0);
  return design;
}

/// "0-3,2-5": pairs of ranks.
std::vector<RankPair> parse_listed(const std::string& text) {
  std::vector<RankPair> pairs;
  for (const std::string& part : split(text, ',')) {
    const std::vector<std::string> ranks = split(part, '-');
    if (ranks.size() != 2) {
      throw InputError({"bad value '" + text + "' for --pairs",
                        "'" + part + "' is no pair of ranks", "write 0-3,2-5"});
    }
    pairs.push_back(
        {parse_count<int>("--pairs", ranks[0], 0), parse_count<int>("--pairs", ranks[1], 0)});
  }
  return pairs;
}

void read_pairs(const std::string& text, LaunchOptions& options) {
  if (text == "all") {
    options.pairs = PairChoice::all;
  } else if (text == "sparse" || text.starts_with("sparse:")) {
    options.pairs = PairChoice::sparse;
    options.sparse = parse_sparse(text);
  } else if (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    options.pairs = PairChoice::listed;
    options.listed = parse_listed(text);
  } else if (text != "representative") {
    throw InputError({"bad value '" + text + "' for --pairs", "it is no choice of pairs",
                      suggest(text, {"representative", "all", "sparse:16", "0-1"})});
  }
}

/// "a", "b" and "slow-5" for "5".
std::vector<Variant> parse_variants(const std::string& slow_downs) {
  if (slow_downs.empty()) return {};
  constexpr double percent = 0.01;
  std::vector<Variant> variants{{"a", 0}, {"b", 0}};
  for (const std::string& text : split(slow_downs, ',')) {
    const int share = parse_count<int>("--slow-downs", text, 1);
    variants.push_back({"slow-" + text, share * percent});
  }
  return variants;
}

}  // namespace

void WorkloadOptionGroup::add_to(CLI::App& app) {
  app.add_option("-b,--sizes", sizes_,
                 "Message sizes: 0,8,1K or 0:4M (doubling) or 1:4M:8 (eight an octave)");
  app.add_option("--operations", operations_, "Names joined by commas, or all; see --list");
  app.add_option("--datatype", datatypes_, "all, or some of " + join(datatype_names()))
      ->default_str("byte; double in reductions");
  app.add_option("--operator", operators_,
                 "Of reductions: all, or some of " + join(operator_names()))
      ->default_str("sum");
  app.add_option(
         "--cache", caches_,
         "all, or some of hot (the same buffers again), cold (more than the caches hold) and "
         "fresh (untouched pages)")
      ->default_str("hot");
  app.add_option("--pairs", pairs_,
                 "representative: one pair of ranks for each hop class; all: every pair; "
                 "sparse:16 or sparse:16:NIGHT: each node in at most so many pairs, other ones "
                 "every night; 0-3,2-5: these. Given again, the last one counts")
      ->take_last();
  app.add_option("--hops", hops_, "Only these hop classes, joined by commas")->default_str("all");
  app.add_flag("--concurrent", concurrent_,
               "Measure disjoint pairs at the same time instead of one after the other");
  add_variants(app);
  app.add_option("--window", window_, "Messages in a window of the windowed operations")
      ->default_str("64, fewer above 512K");
}

/// A self-test is of hockney's own way of timing.
void WorkloadOptionGroup::add_variants(CLI::App& app) {
  if (!slow_downs_.empty()) {
    app.add_option(
        "--slow-downs", slow_downs_,
        "Planted slow-downs [%], beside two variants without, which differ in name only");
    return;
  }
  app.add_option(
         "--compat", compat_,
         "Beside each time what these suites would print, measured in the same launch: osu "
         "(the first rank's mean or the mean over ranks), imb (t_max); joined by commas, or "
         "all. --start and --samples do not apply to them")
      ->default_str("none");
}

void WorkloadOptionGroup::read_into(LaunchOptions& options) const {
  options.operations = parse_operations(operations_);
  options.sizes = parse_message_sizes(sizes_);
  read_pairs(pairs_, options);
  if (!hops_.empty()) options.hops = parse_hops(hops_);
  options.concurrent = concurrent_;
  options.window = optional_count("--window", window_, 1);
  options.variants = parse_variants(slow_downs_);
  options.compat = parse_compat(compat_);
  parse_data(datatypes_, operators_, options);
  parse_caches(caches_, options);
}

}  // namespace hockney
