#include "benchmarks/harness/noise.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/time.hpp"
#include "core/words.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr Seconds longest_recording{60.0};

Seconds parse_recording(const std::string& text) {
  const Seconds recording = parse_duration(text);
  if (recording.value > 0 && recording.value <= longest_recording.value) return recording;
  throw InputError({"bad value '" + text + "' for --recording",
                    "every piece of work in it is kept in memory", "give more than 0, up to 60s"});
}

template <WordedEnum Enum>
void add_states(CLI::App& app, const std::string& option, std::vector<Enum>& values,
                const std::string& help) {
  const auto parse = [option](const std::string& text) {
    if (const auto value = find_word<Enum>(text)) return *value;
    throw InputError({"bad value '" + text + "' for " + option, "there is no such choice",
                      suggest(text, valid_words<Enum>())});
  };
  add_list_option(app, option, values, valid_words<Enum>(), parse, help)->default_str("all");
}

}  // namespace

void add_noise_options(CLI::App& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--recording",
      [&](const std::string& text) { options.recording = parse_recording(text); },
      "How long every rank repeats fixed-work without a pause, after all else: a period of "
      "interruptions can be a tenth of it, up to 60s")
      ->default_str("2s");
  add_states(app, "--neighbours", options.neighbours,
             "What the others of a hop class do beside neighbour-work: all, or some of idle, "
             "computing and streaming (through memory)");
  add_states(app, "--pages", options.pages,
             "Those of page-touch: all, or some of same (since the launch began), moved (others "
             "for every sample) and fresh (others for every pass, never touched before)");
}

}  // namespace hockney::benchmarks::programs
