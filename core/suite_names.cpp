#include "core/suite_names.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "core/text.hpp"

namespace hockney {
namespace {

struct SuiteName {
  std::string_view name;
  std::string_view operation;
  std::string_view remark{};
  std::string_view parameter{};  ///< parameter of a point, with its value
  std::string_view value{};
};

constexpr std::string_view locally = "with --synchronisation flush-local: complete locally";

/// Names that differ in more than case: of OMB 7.4 without osu_, of IMB 2021.
constexpr std::array<SuiteName, 52> suite_names{
    {{"latency", "pingpong"},
     {"multi-lat", "pingpong",
      "one pair after the other; --pairs all --concurrent: disjoint pairs at the same time"},
     {"bw", "bandwidth"},
     {"bibw", "bidirectional-bandwidth"},
     {"mbw-mr", "message-rate"},
     {"uniband", "message-rate"},
     {"biband", "bidirectional-bandwidth", "one pair after the other, not all at the same time"},
     {"pingpongspecificsource", "pingpong"},
     {"pingpingspecificsource", "pingping"},
     {"pingponganysource", "anysource-pingpong"},
     {"latency-persistent", "persistent-pingpong"},
     {"put-latency", "put"},
     {"put-bw", "put-bandwidth"},
     {"put-bibw", "put-bidirectional-bandwidth"},
     {"get-latency", "get"},
     {"get-bw", "get-bandwidth"},
     {"acc-latency", "accumulate"},
     {"get-acc-latency", "get-accumulate"},
     {"fop-latency", "fetch-and-op"},
     {"cas-latency", "compare-and-swap"},
     {"open-close", "file-open-close"},
     {"hello", "init", "its end is finalize"},
     {"unidir-put", "put"},
     {"unidir-get", "get"},
     {"bidir-put", "put-bidirectional-bandwidth"},
     {"bidir-get", "get-bidirectional-bandwidth"},
     {"truly-passive-put", "put", "with --work during: the target computes"},
     {"latency-mt", "threaded-pingpong",
      "as many threads on both ranks; --communicators shared: one for all, as OMB has it"},
     {"latency-mp", "pingpong", "without the forked processes, which sleep while it is timed"},
     {"partitioned-latency", "partitioned-pingpong"},
     {"pingpongmt", "threaded-pingpong"},
     {"pingpingmt", "threaded-pingping"},
     {"sendrecvmt", "threaded-sendrecv"},
     {"exchangemt", "threaded-exchange"},
     {"unibandmt", "threaded-message-rate"},
     {"bibandmt", "threaded-bidirectional-bandwidth"},
     {"bcastmt", "threaded-bcast"},
     {"reducemt", "threaded-reduce"},
     {"allreducemt", "threaded-allreduce"},
     {"barriermt", "threaded-barrier"},
     {"put-local", "put", locally, "synchronisation", "flush-local"},
     {"get-local", "get", locally, "synchronisation", "flush-local"},
     {"put-all-local", "one-put-all", locally, "synchronisation", "flush-local"},
     {"get-all-local", "one-get-all", locally, "synchronisation", "flush-local"},
     {"pingpinganysource", "anysource-pingping"},
     {"bw-persistent", "persistent-bandwidth"},
     {"bibw-persistent", "persistent-bidirectional-bandwidth"},
     {"bw-fan-in", "fan-in", "one message of each sender, where osu_bw_fan_in has windows of them"},
     {"bw-fan-out", "fan-out",
      "one message to each receiver, where osu_bw_fan_out has windows of them"},
     {"unirandom", "random-pairs", "the pairs of a point stay the same; --pairing: others"},
     {"birandom", "random-pairs-both-ways",
      "the pairs of a point stay the same; --pairing: others"},
     {"corandom", "random-pairs-both-ways",
      "the pairs of a point stay the same; --pairing: others"}}};

bool take_away_front(std::string& text, std::string_view front) {
  const bool is_there = text.starts_with(front);
  if (is_there) text.erase(0, front.size());
  return is_there;
}

bool take_away_back(std::string& text, std::string_view back) {
  const bool is_there = text.ends_with(back);
  if (is_there) text.resize(text.size() - back.size());
  return is_there;
}

std::map<std::string, std::string> parameters_of(std::string_view parameter,
                                                 std::string_view value) {
  if (parameter.empty()) return {};
  return {{std::string(parameter), std::string(value)}};
}

/// Names of IMB-IO: "c-iwrite-shared" and similar.
std::optional<KnownName> file_name(std::string_view plain) {
  if (plain.size() < 2 || plain[1] != '-' || std::string_view("spc").find(plain[0]) > 2) {
    return std::nullopt;
  }
  const std::string_view rest = plain.substr(2);
  const std::size_t dash = rest.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  constexpr std::array calls{"write", "read", "iwrite", "iread"};
  struct Access {
    std::string_view name;
    std::string_view parameter;
    std::string_view value;
  };
  constexpr std::array<Access, 4> accesses{{{"indv", "", ""},
                                            {"expl", "pointer", "explicit"},
                                            {"shared", "pointer", "shared"},
                                            {"priv", "files", "per-rank"}}};
  const auto* const access = std::ranges::find(accesses, rest.substr(dash + 1), &Access::name);
  const bool is_call = std::ranges::find(calls, rest.substr(0, dash)) != calls.end();
  if (!is_call || access == accesses.end()) return std::nullopt;
  KnownName known{fmt::format("file-{}{}", rest.substr(0, dash), plain[0] == 'c' ? "-all" : ""), "",
                  parameters_of(access->parameter, access->value)};
  for (const auto& [parameter, value] : known.parameters) {
    known.remark = fmt::format("with --{} {}", parameter, value);
  }
  if (plain[0] == 's') {
    if (!known.remark.empty()) known.remark += ", ";
    known.remark += "of one rank alone";
  }
  return known;
}

}  // namespace

KnownName known_name(std::string_view name) {
  std::string plain(name);
  std::ranges::transform(plain, plain.begin(), [](unsigned char letter) {
    return letter == '_' ? '-' : static_cast<char>(std::tolower(letter));
  });
  if (!take_away_front(plain, "osu-")) take_away_front(plain, "mpi-");
  const auto* const found = std::ranges::find(suite_names, plain, &SuiteName::name);
  if (found != suite_names.end()) {
    return {std::string(found->operation), std::string(found->remark),
            parameters_of(found->parameter, found->value)};
  }
  if (auto of_file = file_name(plain)) return *std::move(of_file);
  if (take_away_back(plain, "-persistent")) return {"persistent-" + plain, ""};
  if (take_away_back(plain, "-pure")) {
    return {plain, "the pure time of the call, and with work beside it; --work none: that alone"};
  }
  return {plain, ""};
}

std::vector<std::string> known_names() {
  return strings_of(suite_names, [](const SuiteName& known) { return std::string(known.name); });
}

}  // namespace hockney
