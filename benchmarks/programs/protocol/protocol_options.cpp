#include "benchmarks/programs/protocol/protocol_options.hpp"

#include <limits>
#include <random>

#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/quantities.hpp"

namespace hockney {
namespace {

constexpr int default_searches = 3;

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

}  // namespace

ProtocolOptionParser::ProtocolOptionParser(CLI::App& app) {
  app.option_defaults()->always_capture_default();
  app.add_option("--most", most_, "The largest message that is tried, such as 64K");
  app.add_option(
      "--calls", calls_,
      "Beside MPI_Send: all, or some of send, isend (MPI_Isend and MPI_Wait), persistent "
      "and ssend (which must never return without a receive)");
  app.add_option("--layouts", layouts_,
                 "Beside plain bytes: all, or some of bytes, contiguous (MPI_Type_contiguous) and "
                 "strided (MPI_Type_vector, every other byte)");
  app.add_option("--searches", searches_,
                 "Searches for the limit of MPI_Send, which must all agree")
      ->default_str(std::to_string(default_searches));
  app.add_option("--budget", budget_, "As many searches as fit into this time instead, such as 3s")
      ->default_str("none");
  app.add_option("--flood-messages", flood_messages_,
                 "Messages of a flood, which finds how many are taken unreceived; 0: none");
  app.add_option("--flood-bytes", flood_bytes_, "Most bytes of a flood");
  app.add_option(
      "--overhead-sizes", overhead_sizes_,
      "Sizes at which LogGP's o_s, o_r and g are measured, as far as they are handed over; "
      "none: not at all");
  app.add_option("--hops", hops_, "Only these hop classes, joined by commas")->default_str("all");
  app.add_option("--seed", seed_, "Of the data that are sent")->default_str("drawn anew");
  placement_.add_to(app);
  output_.add_to(app);
  campaign_.add_to(app);
}

ProtocolOptions ProtocolOptionParser::options() const {
  ProtocolOptions options{
      .most_bytes = parse_most(most_),
      .calls = parse_calls(calls_),
      .layouts = parse_layouts(layouts_),
      .searches = optional_count("--searches", searches_, 1).value_or(default_searches),
      .flood_messages = parse_count<int>("--flood-messages", flood_messages_, 0),
      .flood_bytes = parse_flood_bytes(flood_bytes_)};
  if (overhead_sizes_ != "none") options.overhead_sizes = parse_sizes(overhead_sizes_);
  if (!hops_.empty()) options.launch.hops = parse_hops(hops_);
  if (!budget_.empty()) options.launch.budget = parse_budget(budget_);
  if (options.launch.budget && !searches_.empty()) {
    throw InputError(
        {"both --budget and --searches", "each says when to stop", "give one of them"});
  }
  const auto seed = optional_count<std::uint64_t>("--seed", seed_, 0);
  options.launch.seed = seed ? *seed : std::random_device()();
  placement_.read_into(options.launch);
  output_.read_into(options.launch);
  campaign_.read_into(options.launch);
  return options;
}

}  // namespace hockney
