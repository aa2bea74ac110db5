#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "components/application/commands/commands.hpp"
#include "components/application/commands/profile_run.hpp"
#include "components/application/commands/site_names.hpp"
#include "components/application/page/profile_page.hpp"
#include "components/application/profile/profile.hpp"
#include "components/application/profile/profile_file.hpp"
#include "components/application/screens/comparison_report.hpp"
#include "components/application/screens/function_views.hpp"
#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/time_line_views.hpp"
#include "components/application/symbols/frame_names.hpp"
#include "core/atomic_file.hpp"
#include "core/cli/command_line.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/text.hpp"
#include "driver/campaign/subprocess.hpp"
#include "driver/output/output.hpp"
#include "driver/subcommands.hpp"
#include "report/curve_tables.hpp"

namespace hockney::driver {
namespace {

struct ShowCommand {
  std::string file;
  std::vector<std::string> records;
  bool mpip = false;
  std::optional<std::string> by;
  std::optional<std::string> timeline;
  campaign::OutputOptions output;
};

/// What a line of --csv is about.
enum class CsvRows { rank, node, function, time, iteration };

constexpr auto words_of(std::type_identity<CsvRows>) {
  return std::to_array<std::string_view>({"rank", "node", "function", "time", "iteration"});
}

CsvRows parse_rows(const ShowCommand& command) {
  if (command.by && !command.output.csv) {
    throw InputError({"--by without --csv", "it says what a line of --csv is about",
                      "add --csv or leave it out"});
  }
  const std::string by = command.by.value_or("rank");
  return parse_word<CsvRows>(by, fmt::format("bad --by '{}'", by),
                             "--csv is by rank, node, function, time or iteration");
}

/// InputError without samples.
void check_samples(const profile::Profile& profile, const std::string& file) {
  if (profile.samples) return;
  throw InputError({fmt::format("'{}' has no samples", file),
                    "functions are known from samples of stacks",
                    "record some: hockney profile --sample -- COMMAND"});
}

/// InputError if the user names records, and none of them contains the needed limits.
std::vector<Record> load_limits(const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  std::vector<Record> records = load_records(paths, Kept::times);
  report::print_faults(std::cerr, find_faults(records));
  if (!applications::eager_limits(records).empty()) return records;
  throw InputError({fmt::format("no eager limit in '{}'", join(paths, "', '")),
                    "no complete launch of hockney-protocol there found one",
                    "name records of hockney-protocol"});
}

/// Loads the log of events beside the profile; nullopt if it is missing or unreadable. An
/// unreadable log becomes a doubt; if the user requests the log itself, an error. ForeignLog if it
/// belongs to another run.
std::optional<applications::TraceAnalysis> load_log(const ShowCommand& command,
                                                    const profile::Profile& profile,
                                                    std::vector<std::string>& doubts) {
  if (!profile.log) return std::nullopt;
  try {
    return applications::TraceAnalysis(applications::load_trace(profile, command.file));
  } catch (const applications::ForeignLog&) {
    throw;
  } catch (const Error& error) {
    if (command.timeline) throw;
    doubts.emplace_back(error.what());
    return std::nullopt;
  }
}

/// Whether more than the summary or a table of --csv is printed.
bool shows_all(const ShowCommand& command, const campaign::Output& output) {
  const campaign::OutputOptions& forms = command.output;
  return forms.json || forms.all || output.wants_page() || !forms.file.empty() || command.mpip ||
         command.timeline;
}

applications::LogDetail detail_of(const ShowCommand& command, const campaign::Output& output) {
  using applications::LogDetail;
  if (output.wants_page()) return LogDetail::levels;
  const bool needs_activity = shows_all(command, output) || command.output.csv;
  return needs_activity ? LogDetail::activity : LogDetail::iterations;
}

/// The profile analysed with its log, and names of functions and call sites.
report::ProfileView view_of(const ShowCommand& command, const campaign::Output& output,
                            profile::Profile profile,
                            const std::optional<applications::TraceAnalysis>& log,
                            std::vector<std::string> doubts) {
  const std::vector<Record> records = load_limits(command.records);
  symbols::NamedFrames frames = symbols::name_frames(profile);
  std::ranges::move(frames.doubts, std::back_inserter(doubts));
  applications::ProgramReport report =
      applications::analyse(std::move(profile), {.log = log ? &*log : nullptr,
                                                 .detail = detail_of(command, output),
                                                 .protocols = records,
                                                 .frame_names = &frames.names});
  NamedSites sites = shows_all(command, output)
                         ? name_sites(report.profile)
                         : name_sites(report.profile, sites_of_findings(report));
  std::ranges::move(sites.doubts, std::back_inserter(doubts));
  return {.report = std::move(report),
          .file = command.file,
          .site_names = std::move(sites.names),
          .doubts = std::move(doubts)};
}

/// All files that the command reads.
std::vector<std::string> inputs_of(const ShowCommand& command) {
  std::vector<std::string> inputs = command.records;
  inputs.push_back(command.file);
  inputs.push_back(profile::events_file(command.file));
  return inputs;
}

/// InputError if the timeline would replace an input, even under another path.
void check_timeline(const ShowCommand& command) {
  if (!command.timeline) return;
  for (const std::string& input : inputs_of(command)) {
    std::error_code error;
    if (!std::filesystem::equivalent(*command.timeline, input, error)) continue;
    throw InputError({fmt::format("cannot write the timeline to '{}'", *command.timeline),
                      fmt::format("it is '{}', which is read", input), "name another file"});
  }
}

/// Writes every call of the profile's log to a file.
void write_timeline(const std::optional<applications::TraceAnalysis>& log,
                    const report::ProfileView& view, const std::string& file) {
  if (!log) {
    throw InputError({fmt::format("'{}' has no log of events", view.file),
                      "a timeline shows every call in its order",
                      "record one: hockney profile --log -- COMMAND"});
  }
  OutputFile output(file);
  report::write_timeline(output.stream(), *log, view);
  output.keep();
  std::cerr << "timeline: " << file << ", to be opened in https://ui.perfetto.dev\n";
}

/// InputError if the time lines or iterations are not known, and are asked for.
void write_rows(std::ostream& out, const report::ProfileView& view, CsvRows rows) {
  if (rows == CsvRows::rank || rows == CsvRows::node) {
    write_matrix_csv(out, view,
                     rows == CsvRows::node ? report::MatrixRows::nodes : report::MatrixRows::ranks);
    return;
  }
  if (rows == CsvRows::function) return write_csv(out, view_of_functions(view));
  if (!view.report.lines || !view.report.lines->activity) {
    throw InputError({fmt::format("'{}' has no log of events", view.file),
                      "time lines come from it", "record one: hockney profile --log -- COMMAND"});
  }
  if (rows == CsvRows::time) {
    write_csv(out, report::view_of_activity(*view.report.lines->activity));
    return;
  }
  const applications::Iterations& found = view.report.lines->iterations;
  if (found.count() == 0) {
    throw InputError({"no iterations found", found.why_none, "see the run with --csv --by time"});
  }
  write_csv(out, report::view_of_iterations(found));
}

ExitCode show_profile(const ShowCommand& command) {
  const CsvRows rows = parse_rows(command);
  const campaign::Output output(command.output, inputs_of(command));
  check_timeline(command);
  profile::Profile profile = profile::load_profile(command.file);
  std::vector<std::string> doubts;
  const auto log = load_log(command, profile, doubts);
  if (rows == CsvRows::function) check_samples(profile, command.file);
  const report::ProfileView view =
      view_of(command, output, std::move(profile), log, std::move(doubts));
  if (command.timeline) write_timeline(log, view, *command.timeline);
  if (command.mpip) {
    print_mpip_report(std::cout, view);
    return ExitCode::good;
  }
  output.show({.summary = [&] { return report::screen_of(view); },
               .tables = [&](std::ostream& out) { report::print_profile_tables(out, view); },
               .document = [&] { return report::to_json(view); },
               .csv = [&](std::ostream& out) { write_rows(out, view, rows); },
               .page =
                   [&] {
                     return page_of(view, command.output.command({"--by", "--timeline"}));
                   }});
  return ExitCode::good;
}

void add_show_options(CommandLine& app, ShowCommand& command) {
  app.add_option("FILE", command.file, "Profile of a run of a program").required();
  app.add_option("RECORDS", command.records,
                 "Records of hockney-protocol, or folders of them: sizes against eager limits")
      .default_str("none");
  add_output_options(app, command.output, {.page = true});
  const CommandOption mpip =
      app.add_flag("--mpip", command.mpip, "Print a report in the layout of mpiP");
  for (const char* other : {"--all", "--quiet", "--json", "--csv", "--page", "--output"}) {
    mpip.excludes(app.option(other));
  }
  tried_first(app.add_option("--timeline", command.timeline,
                             "Also write every call on an axis of time, for Perfetto or Chrome"))
      .type_name("FILE")
      .default_str("none");
  app.add_option("--by", command.by,
                 "What a line of --csv is about: messages of a rank or node, a function, ranks "
                 "against time, an iteration")
      .type_name(type_of_choice(valid_words<CsvRows>()))
      .default_str("rank");
}

struct CompareProfiles {
  std::vector<std::string> files;
  bool weak = false;
  campaign::OutputOptions output;
};

ExitCode compare_profiles(const CompareProfiles& command) {
  const campaign::Output output(command.output, command.files);
  std::vector<profile::Profile> profiles;
  for (std::size_t i = 0; i < command.files.size(); ++i) {
    const std::string& file = command.files[i];
    profiles.push_back(profile::load_profile(file));
    for (std::size_t before = 0; before < i; ++before) {
      if (profiles[before] != profiles.back()) continue;
      throw InputError(
          {fmt::format("'{}' and '{}' are the same launch", command.files[before], file),
           "it would count twice", "name each once"});
    }
  }
  const applications::Comparison comparison = applications::compare(
      profiles, command.weak ? applications::Scaling::weak : applications::Scaling::strong);
  output.show(
      {.summary = [&] { return report::screen_of(comparison); },
       .tables = [&](std::ostream& out) { report::print_comparison_tables(out, comparison); },
       .document = [&] { return report::to_json(comparison); },
       .csv = [&](std::ostream& out) { write_csv(out, report::view_of(comparison)); },
       .page = [&] { return report::page_of(comparison, command.output.command({})); }});
  return ExitCode::good;
}

void add_compare_options(CommandLine& app, CompareProfiles& command) {
  app.add_option("FILES", command.files,
                 "Profiles of runs with several numbers of ranks or settings; of several launches "
                 "each for intervals")
      .required();
  app.add_flag("--weak", command.weak,
               "The work of a rank is the same in all runs, not the whole work");
  add_output_options(app, command.output, {.page = true});
}

}  // namespace

void add_profile(CommandLine& driver, Action& chosen) {
  CommandLine app = driver.add_subcommand(profile_beside.name, profile_beside.summary);
  app.require_subcommands(0, 1);
  const auto run = std::make_shared<ProfileRun>();
  add_profile_run_options(app, *run);
  app.callback([app, run, &chosen] {
    if (!app.has_chosen_subcommand()) chosen = [run] { return run_profile(*run); };
  });
  add_command<ShowCommand>(
      app, chosen, "show", "Summarise a profile: time, pattern, calls, sizes", add_show_options,
      show_profile,
      {.examples = {
           {"hockney profile show p4.json", "the summary"},
           {"hockney profile show p4.json --page p4.html", "pictures"},
           {"hockney profile show s4.json --csv --by function", "computing by function"}}});
  add_command<CompareProfiles>(
      app, chosen, "compare", "What grows with the ranks, or with another setting",
      add_compare_options, compare_profiles,
      {.examples = {{"hockney profile compare p2.json p4.json", "speed-up, and what grew"},
                    {"hockney profile compare p2.json p4.json --page runs.html", "pictures"},
                    {"hockney profile compare p2.json p4.json --weak", "the work grows, too"}}});
  describe(app,
           {.examples = {{"hockney profile -- mpirun -n 4 ./app", "run it, and say what it did"},
                         {"hockney profile --sample -- mpirun -n 4 ./app",
                          "with the functions that compute"},
                         {"hockney profile show p4.json", "the summary of a profile"}}});
}

}  // namespace hockney::driver
