#include "benchmarks/programs/protocol/protocol_options.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/quantities.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr const char* usual_most = "4M";
constexpr int usual_flood_messages = 4096;
constexpr const char* usual_flood_bytes = "64M";
constexpr const char* usual_overhead_sizes = "1,8,64,512,2K,4K";

std::int64_t parse_most(const std::string& text) {
  const Bytes most = parse_bytes(text);
  if (most.value <= std::numeric_limits<int>::max()) return most.value;
  throw InputError({"bad value '" + text + "' for --most",
                    "MPI 3 counts at most 2147483647 bytes in one message", "use less than 2G"});
}

std::int64_t parse_flood_bytes(const std::string& text) {
  const std::int64_t bytes = parse_bytes(text).value;
  if (bytes >= 1) return bytes;
  throw InputError({"bad value '" + text + "' for --flood-bytes", "a flood has messages",
                    "use --flood-messages 0 for no floods"});
}

/// The order of the answers is not the user's: each call and layout once, as they are numbered.
template <class Value>
void add_choice(CLI::App& app, const std::string& option, std::vector<Value>& chosen,
                const std::vector<std::string>& names, Value (*parse)(const std::string&),
                const std::string& help) {
  const auto take = [&chosen, names, parse](const std::string& text) {
    chosen = parse_list(text, names, parse);
    std::ranges::sort(chosen);
  };
  take("all");
  add_parsed_option(app, option, take, help, type_of_list(names))->default_str("all");
}

void add_flood_options(CLI::App& app, ProtocolOptions& options) {
  options.flood_messages = usual_flood_messages;
  add_count_option(app, "--flood-messages", options.flood_messages, 0,
                   "Messages of a flood, which finds how many are taken unreceived; 0: none")
      ->default_str(std::to_string(usual_flood_messages));
  options.flood_bytes = parse_flood_bytes(usual_flood_bytes);
  add_parsed_option(
      app, "--flood-bytes",
      [&](const std::string& text) { options.flood_bytes = parse_flood_bytes(text); },
      "Most bytes of a flood")
      ->default_str(usual_flood_bytes);
}

void add_overhead_option(CLI::App& app, ProtocolOptions& options) {
  const auto take = [&options](const std::string& text) {
    options.overhead_sizes = text == "none" ? std::vector<Bytes>() : parse_sizes(text);
  };
  take(usual_overhead_sizes);
  add_parsed_option(
      app, "--overhead-sizes", take,
      "Sizes at which LogGP's o_s, o_r and g are measured, as far as they are handed over; "
      "none: not at all")
      ->default_str(usual_overhead_sizes);
}

}  // namespace

void add_protocol_options(CLI::App& app, ProtocolOptions& options) {
  options.most_bytes = parse_most(usual_most);
  add_parsed_option(
      app, "--most", [&](const std::string& text) { options.most_bytes = parse_most(text); },
      "The largest message that is tried, such as 64K")
      ->default_str(usual_most);
  add_choice(app, "--calls", options.calls, names_in(call_names), parse_call,
             "Beside MPI_Send: all, or some of send, isend (MPI_Isend and MPI_Wait), persistent "
             "and ssend (which must never return without a receive)");
  add_choice(app, "--layouts", options.layouts, names_in(layout_names), parse_layout,
             "Beside plain bytes: all, or some of bytes, contiguous (MPI_Type_contiguous) and "
             "strided (MPI_Type_vector, every other byte)");
  add_count_option(app, "--searches", options.searches, 1,
                   "Searches for the limit of MPI_Send, which must all agree")
      ->default_str(std::to_string(usual_searches));
  add_budget_option(app, options.launch,
                    "As many searches as fit into this time instead, such as 3s", "none");
  add_limit_option(app, options.launch, "10m for each pair; none in a campaign");
  add_flood_options(app, options);
  add_overhead_option(app, options);
  add_hop_option(app, options.launch);
  add_seed_option(app, options.launch, "Of the data that are sent");
  add_surrounding_options(app, options.launch);
  hockney::describe(
      app,
      {.examples =
           {{"mpirun -n 2 hockney-protocol", "the eager limit, floods, overheads"},
            {"mpirun -n 2 hockney-protocol --calls send,isend --layouts bytes -o record.json",
             "some calls"},
            {"mpirun -n 2 hockney-protocol --most 64K --flood-messages 0 --overhead-sizes none",
             "the limit"}},
       .common = {"--most", "--calls", "--layouts", "--searches", "--budget", "--flood-messages",
                  "--overhead-sizes", "--hops", "--bind", "--output", "--json"}});
}

void check_protocol_options(const ProtocolOptions& options) {
  if (options.launch.budget && options.searches) {
    throw InputError(
        {"both --budget and --searches", "each says when to stop", "give one of them"});
  }
  check_campaign_place(options.launch);
}

}  // namespace hockney::benchmarks::programs
