#include "benchmarks/programs/launch/axes.hpp"
#include "benchmarks/programs/launch/option_parser.hpp"
#include "core/cli/cli11.hpp"
#include "core/error.hpp"
#include "core/time.hpp"

namespace hockney::benchmarks::programs {
namespace {

constexpr Seconds longest_recording{60.0};

Seconds parse_recording(const std::string& text) {
  const Seconds recording = parse_duration(text);
  if (recording.value > 0 && recording.value <= longest_recording.value) return recording;
  throw InputError({"bad value '" + text + "' for --recording",
                    "every piece of work in it is kept in memory", "give more than 0, up to 60s"});
}

}  // namespace

void add_noise_options(CLI::App& app, LaunchOptions& options) {
  add_parsed_option(
      app, "--recording",
      [&](const std::string& text) { options.recording = parse_recording(text); },
      "How long every rank repeats fixed-work without a pause, after all else: a period of "
      "interruptions can be a tenth of it, up to 60s")
      ->default_str("2s");
  add_axes(app, Section::noise, options);
}

}  // namespace hockney::benchmarks::programs
