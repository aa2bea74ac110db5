#include "components/application/screens/projection_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ranges>
#include <string_view>

#include "components/application/analysis/communication.hpp"
#include "components/application/analysis/mapping.hpp"
#include "components/application/screens/profile_report.hpp"
#include "components/application/screens/profile_views.hpp"
#include "core/error.hpp"
#include "core/json_values.hpp"
#include "core/quantities.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

/// Sentences of these screens.
namespace words {

constexpr std::string_view by_models =
    "measured {}, by the models {} ({}), {} on a network that costs nothing";
constexpr std::string_view models_far_off =
    "the models are far off: not even costs 8 times as high or low explain the run";
constexpr std::string_view stretch =
    "costs {} times as high as measured would explain the run; ranges reach from 1 to that";
constexpr std::string_view projection_too_few_launches =
    "too few launches of the ping-pongs: ranges leave their noise out";
constexpr std::string_view one_run = "one run of the program: how much runs differ is not known";
constexpr std::string_view cost_of_point = "a point takes {}, as in blocks of {} points, {}";
constexpr std::string_view cost_of_flop = "a flop takes {}, as in blocks of {} flops, {}";
constexpr std::string_view iteration =
    "{} {}, an iteration with immediate messages and computing afterwards";
constexpr std::string_view ranges = "ranges: both ends of what messages and computing take";
constexpr std::string_view ranges_of_launches =
    "ranges are those of single launches: the models have no interval";
constexpr std::string_view no_bound =
    "how much better any mapping can be is not known: no plain grid";
constexpr std::string_view bound_reached = "no mapping does better: at least {} B";
constexpr std::string_view bound = "no mapping needs less than {} B";
constexpr std::string_view one_node = "one node: nothing to map";
constexpr std::string_view no_change =
    "no change: {} on different nodes, and nothing tried is better";
constexpr std::string_view best_mapping = "{}: {} on different nodes{}";
constexpr std::string_view between_nodes = "between nodes: {} before; {} after";
constexpr std::string_view bytes_of_messages =
    "bytes of messages, the larger direction of each pair; collectives and time are not in them";

}  // namespace words

using projection::Effect;
using projection::Projection;
using projection::Validation;

/// "2.4 % less", "as measured".
std::string difference_text(double fraction) {
  constexpr double nothing = 0.0005;
  if (std::abs(fraction) < nothing) return "the same";
  return significant(per_cent * std::abs(fraction), 2) + (fraction < 0 ? " % less" : " % more");
}

std::string model_line(const Validation& found) {
  return fmt::format(words::by_models, short_time(found.measured_seconds),
                     short_time(found.model_seconds), difference_text(found.error()),
                     short_time(found.ideal_seconds));
}

std::vector<std::string> row_of(const Projection& answer, double measured) {
  if (!answer.why_not.empty()) return {answer.question, "-", "cannot tell", answer.why_not};
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  const auto [time, change] = [&]() -> std::pair<std::string, std::string> {
    const double fraction = answer.seconds / measured - 1;
    return {short_time(answer.seconds, range), difference_text(fraction)};
  }();
  const bool is_change = answer.effect == Effect::faster || answer.effect == Effect::slower;
  return {answer.question, time, std::string(word(answer.effect)), is_change ? change : ""};
}

Lines lines_of(const std::string& text) { return text.empty() ? Lines() : Lines{text}; }

Lines answer_of(const ProjectionView& view) {
  Lines lines{model_line(view.validation)};
  std::vector<std::vector<std::string>> rows{{"what if", "time (range)", "", ""}};
  for (const Projection& answer : view.answers) {
    rows.push_back(row_of(answer, view.validation.measured_seconds));
  }
  if (rows.size() > 1) lines.emplace_back();
  std::ranges::copy(columns_of(rows), std::back_inserter(lines));
  return lines;
}

Lines reliability_of(const ProjectionView& view) {
  Lines lines;
  if (!view.validation.stretch) {
    lines.emplace_back(words::models_far_off);
  } else {
    lines.push_back(fmt::format(words::stretch, significant(*view.validation.stretch, 2)));
  }
  if (!view.has_intervals) lines.emplace_back(words::projection_too_few_launches);
  lines.emplace_back(words::one_run);
  std::ranges::copy(view.doubts, std::back_inserter(lines));
  return lines;
}

/// Adds the time of an answer, with its range in one cell for people and in two columns of CSV.
/// `reported` finds the answer of an item; nullptr if there is none.
template <class Item, class Reported>
void add_time_columns(Columns<Item>& columns, Reported reported) {
  const auto add = [&](const Heading& heading, auto value) {
    columns.push_back({heading, [=](const Item& item) {
                         const auto* const answer = reported(item);
                         return answer == nullptr ? Value() : Value(value(*answer));
                       }});
  };
  add({"seconds", "time", Unit::seconds}, [](const auto& one) { return one.seconds; });
  add({"low_seconds", "", Unit::seconds, Form::csv},
      [](const auto& one) { return one.range.low_seconds; });
  add({"high_seconds", "", Unit::seconds, Form::csv},
      [](const auto& one) { return one.range.high_seconds; });
  add({"range_seconds", "range", Unit::seconds, Form::terminal, "", true}, [](const auto& one) {
    return Interval{one.range.low_seconds, one.range.high_seconds, 0};
  });
}

using projection::KernelPrediction;

std::vector<std::string> kernel_row(const KernelPredictionView& view, std::size_t place) {
  const std::string ranks = std::to_string(view.ranks[place]);
  if (!view.why_not[place].empty()) {
    return {ranks, "-", "cannot tell", "", escaped(view.why_not[place])};
  }
  const KernelPrediction& answer = view.answers[place];
  const Interval range{answer.range.low_seconds, answer.range.high_seconds, 0};
  return {ranks, join_numbers(answer.grid, "x"), short_time(answer.seconds, range),
          fixed_text(per_cent * answer.computing_seconds / answer.seconds, 0) + " %", ""};
}

/// Computing cost of the first prediction without an error.
std::string cost_line(const KernelPredictionView& view) {
  for (std::size_t i = 0; i < view.answers.size(); ++i) {
    if (!view.why_not[i].empty()) continue;
    const projection::UnitCost& cost = view.answers[i].cost;
    const std::string time = short_time(cost.seconds);
    const std::string units = significant(cost.units, 3);
    const std::string launches = count_text(cost.launches, "launch");
    return view.kernel == projection::Kernel::halo
               ? fmt::format(words::cost_of_point, time, units, launches)
               : fmt::format(words::cost_of_flop, time, units, launches);
  }
  return "";
}

/// Ranks of every host, in order.
std::vector<std::vector<std::size_t>> ranks_of_hosts(const RankPlaces& places) {
  std::vector<std::vector<std::size_t>> ranks(places.hosts.size());
  for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
    ranks[static_cast<std::size_t>(places.of_rank[rank])].push_back(rank);
  }
  return ranks;
}

const std::string& host_of(const RankPlaces& places, std::size_t rank) {
  return places.hosts[static_cast<std::size_t>(places.of_rank[rank])];
}

void write_open_mpi(std::ostream& out, const RankPlaces& places) {
  std::vector<std::size_t> local(places.hosts.size(), 0);
  for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
    const std::size_t slot = local[static_cast<std::size_t>(places.of_rank[rank])]++;
    out << "rank " << rank << '=' << host_of(places, rank) << " slot=";
    if (slot < places.slots.size()) {
      out << places.slots[slot].core << '\n';
    } else {
      out << slot << '\n';
    }
  }
}

void write_rank_order(std::ostream& out, const RankPlaces& places) {
  std::vector<std::size_t> order;
  for (const auto& ranks : ranks_of_hosts(places)) {
    std::ranges::copy(ranks, std::back_inserter(order));
  }
  out << join_numbers(order, ",") << '\n';
}

std::vector<int> processors(const RankPlaces& places) {
  std::vector<int> cpus;
  cpus.reserve(places.slots.size());
  for (const LocalSlot& slot : places.slots) cpus.push_back(slot.cpu);
  return cpus;
}

using applications::Cut;
using applications::Mapping;
using applications::MappingAdvice;

std::string cut_text(const Cut& cut) {
  return fmt::format("{} B over {} of ranks", cut.bytes,
                     count_text(static_cast<std::size_t>(cut.edges), "pair"));
}

std::string less_text(const Cut& now, const Cut& best) {
  const auto share = applications::share_of(now.bytes - best.bytes, now.bytes);
  return share && *share > 0 ? fmt::format(", {} less", format_fraction(*share)) : "";
}

std::string bound_line(const MappingAdvice& advice) {
  if (!advice.bound_bytes) return std::string(words::no_bound);
  const bool is_reached = advice.best.cut.bytes == *advice.bound_bytes;
  return is_reached ? fmt::format(words::bound_reached, *advice.bound_bytes)
                    : fmt::format(words::bound, *advice.bound_bytes);
}

std::string volume_text(const applications::Volume& volume) {
  return fmt::format("{}, {} B", count_text(static_cast<std::size_t>(volume.count), "message"),
                     volume.bytes);
}

Lines answer_in(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  if (view.nodes.size() < 2) return {std::string(words::one_node)};
  if (!advice.is_change() && !view.is_chosen) {
    return {fmt::format(words::no_change, cut_text(advice.now.cut)), bound_line(advice)};
  }
  return {fmt::format(words::best_mapping, advice.best.how, cut_text(advice.best.cut),
                      less_text(advice.now.cut, advice.best.cut)),
          fmt::format("{}: {}", advice.now.how, cut_text(advice.now.cut)), bound_line(advice),
          fmt::format(words::between_nodes, volume_text(view.before), volume_text(view.after))};
}

void count_messages(MappingView& view) {
  view.before = leaving(view.matrix, view.advice.now.of_rank);
  view.after = leaving(view.matrix, view.advice.best.of_rank);
}

std::vector<std::string> header_of(const profile::Profile& profile,
                                   const applications::MessageMatrix& matrix) {
  return {escaped(library_name(profile.provenance.mpi.library)),
          escaped(join(profile.provenance.command_line, " ")),
          name_of(applications::find_pattern(matrix))};
}

nlohmann::json json_of(const Mapping& mapping) {
  return to_json(view_of_mappings({mapping})).front();
}

/// Messages between nodes with these nodes of the ranks.
nlohmann::json matrix_json(const MappingView& view, const std::vector<int>& of_rank) {
  const applications::Nodes nodes{view.nodes.names, of_rank, view.nodes.known};
  return to_json(view_of_matrix(fused(view.matrix, nodes), nodes.names, std::nullopt));
}

}  // namespace

Screen screen_of(const ProjectionView& view) {
  return {
      .faults = lines_of(view.oversubscribed),
      .header = {run_line(strings_of(view.profile.ranks, &profile::Rank::host), view.profile)},
      .answer = answer_of(view),
      .rows = rows_of(view_of(view)),
      .verdict = {},
      .reliability = reliability_of(view),
      .next = {{"hockney profile show " + escaped(shell_word(view.file)), "where the time went"}}};
}

View view_of(const ProjectionView& view) {
  const auto reported = [](const Projection& one) { return one.why_not.empty() ? &one : nullptr; };
  Columns<Projection> columns{{{"question", "what if"}, &Projection::question}};
  add_time_columns(columns, reported);
  columns.push_back({{"ratio", "time / measured", Unit::number}, [&](const Projection& one) {
                       const double ratio = one.seconds / view.validation.measured_seconds;
                       return one.why_not.empty() ? Value(ratio) : Value();
                     }});
  columns.push_back({{"effect", "effect"}, &Projection::effect});
  columns.push_back({{"cannot_tell_because", "why not"},
                     [](const Projection& one) { return known_text(one.why_not); }});
  return make_view(columns, view.answers);
}

View view_of(const KernelPredictionView& view) {
  using Number = std::size_t;  // of an answer
  const auto reported = [&](Number i) {
    return view.why_not[i].empty() ? &view.answers[i] : nullptr;
  };
  Columns<Number> columns{
      {{"kernel", "kernel"}, [&](Number) { return view.kernel; }},
      {{"problem", "problem"}, [&](Number) { return view.problem; }},
      {{"ranks", "ranks", Unit::count}, [&](Number i) { return view.ranks[i]; }}};
  add_time_columns(columns, reported);
  columns.push_back({{"computing_seconds", "computing", Unit::seconds}, [&](Number i) {
                       const double seconds = view.answers[i].computing_seconds;
                       return view.why_not[i].empty() ? Value(seconds) : Value();
                     }});
  columns.push_back(
      {{"cannot_tell_because", "why not"}, [&](Number i) { return known_text(view.why_not[i]); }});
  return make_view(columns, std::views::iota(Number{0}, view.ranks.size()));
}

nlohmann::json to_json(const Projection& answer) {
  nlohmann::json json{{"seconds", nullptr},
                      {"range_seconds", nullptr},
                      {"effect", word(answer.effect)},
                      {"cannot_tell_because", filled_or_null(answer.why_not)}};
  if (!answer.why_not.empty()) return json;
  json["seconds"] = answer.seconds;
  json["range_seconds"] = {{"low", answer.range.low_seconds}, {"high", answer.range.high_seconds}};
  return json;
}

nlohmann::json to_json(const ProjectionView& view) {
  const Validation& found = view.validation;
  nlohmann::json answers = nlohmann::json::array();
  for (const Projection& answer : view.answers) {
    answers.push_back(to_json(answer));
    answers.back()["question"] = answer.question;
  }
  return {{"schema", "hockney.projection/1"},
          {"profile", view.file},
          {"ranks", view.profile.world_ranks},
          {"measured_seconds", found.measured_seconds},
          {"model_seconds", found.model_seconds},
          {"model_error", found.error()},
          {"ideal_seconds", found.ideal_seconds},
          {"stretch", found.stretch},
          {"answers", std::move(answers)},
          {"doubts", view.doubts},
          {"oversubscribed", filled_or_null(view.oversubscribed)}};
}

Screen screen_of(const KernelPredictionView& view) {
  std::vector<std::vector<std::string>> rows{{"ranks", "grid", "time (range)", "computing", ""}};
  for (std::size_t i = 0; i < view.ranks.size(); ++i) rows.push_back(kernel_row(view, i));
  Screen screen{.faults = lines_of(view.oversubscribed),
                .header = {fmt::format(words::iteration, word(view.kernel), escaped(view.problem))},
                .answer = columns_of(rows),
                .rows = rows_of(view_of(view)),
                .verdict = {},
                .reliability = {},
                .next = {}};
  if (const std::string cost = cost_line(view); !cost.empty()) screen.reliability.push_back(cost);
  screen.reliability.emplace_back(view.has_intervals ? words::ranges : words::ranges_of_launches);
  std::ranges::copy(view.doubts, std::back_inserter(screen.reliability));
  screen.next = {{fmt::format("hockney scale --ranks 2,4 {}", word(view.kernel)), "measure it"}};
  return screen;
}

nlohmann::json to_json(const KernelPredictionView& view) {
  nlohmann::json answers = nlohmann::json::array();
  for (std::size_t i = 0; i < view.ranks.size(); ++i) {
    nlohmann::json& answer = answers.emplace_back();
    answer = {{"ranks", view.ranks[i]},       {"grid", nullptr},
              {"seconds", nullptr},           {"range_seconds", nullptr},
              {"computing_seconds", nullptr}, {"cannot_tell_because", nullptr}};
    if (!view.why_not[i].empty()) {
      answer["cannot_tell_because"] = view.why_not[i];
      continue;
    }
    const KernelPrediction& found = view.answers[i];
    answer["grid"] = found.grid;
    answer["seconds"] = found.seconds;
    answer["range_seconds"] = {{"low", found.range.low_seconds},
                               {"high", found.range.high_seconds}};
    answer["computing_seconds"] = found.computing_seconds;
  }
  return {{"schema", "hockney.kernel-prediction/1"},
          {"kernel", word(view.kernel)},
          {"problem", view.problem},
          {"predictions", std::move(answers)},
          {"doubts", view.doubts},
          {"oversubscribed", filled_or_null(view.oversubscribed)}};
}

RankFile usual_rank_file(const std::string& mpi_library) {
  return mpi_library.starts_with("Open MPI") ? RankFile::rankfile : RankFile::hosts;
}

void write_rank_file(std::ostream& out, const RankPlaces& places, RankFile format) {
  switch (format) {
    case RankFile::rankfile:
      return write_open_mpi(out, places);
    case RankFile::hosts:
      for (std::size_t rank = 0; rank < places.of_rank.size(); ++rank) {
        out << host_of(places, rank) << '\n';
      }
      return;
    case RankFile::rank_order:
      return write_rank_order(out, places);
    case RankFile::intel:
      break;
  }
  if (places.slots.empty()) {
    throw InputError({"no processors for I_MPI_PIN_PROCESSOR_LIST",
                      "nothing says which of them local ranks get",
                      "add --cpus compact, scatter, numa or l3"});
  }
  out << fmt::format("export I_MPI_PIN=1\nexport I_MPI_PIN_PROCESSOR_LIST={}\n",
                     join_numbers(processors(places), ","));
}

std::vector<std::string> launches_with(const std::string& file, const RankPlaces& places,
                                       RankFile format) {
  const std::string name = escaped(file);
  switch (format) {
    case RankFile::rankfile:
      return {fmt::format("Open MPI 4: mpirun --rankfile {} PROGRAM", name),
              fmt::format("Open MPI 5: mpirun --map-by rankfile:file={} PROGRAM", name)};
    case RankFile::hosts: {
      const std::string bind = places.slots.empty()
                                   ? ""
                                   : " --cpu-bind=map_cpu:" + join_numbers(processors(places), ",");
      return {fmt::format("MPICH: mpiexec -f {} PROGRAM", name),
              fmt::format("Intel MPI: mpirun -machinefile {} PROGRAM", name),
              fmt::format("Slurm: SLURM_HOSTFILE={} srun --distribution=arbitrary{} PROGRAM", name,
                          bind)};
    }
    case RankFile::rank_order:
      return {
          fmt::format("Cray: MPICH_RANK_REORDER_METHOD=3, with {} as ./MPICH_RANK_ORDER", name)};
    case RankFile::intel:
      break;
  }
  return {fmt::format("Intel MPI: . ./{} before mpirun -machinefile of --format hosts", name)};
}

MappingView mapping_view_of(const profile::Profile& profile, const std::string& file) {
  applications::MessageMatrix matrix = applications::message_matrix(profile);
  auto header = header_of(profile, matrix);
  MappingView view{.header = std::move(header),
                   .source = file,
                   .command = "hockney map " + escaped(shell_word(file)),
                   .mpi_library = profile.provenance.mpi.library,
                   .seconds = profile.seconds,
                   .matrix = std::move(matrix),
                   .nodes = applications::nodes_of(profile),
                   .advice = {},
                   .before = {},
                   .after = {}};
  view.advice = applications::find_mapping(view.matrix, view.nodes);
  count_messages(view);
  return view;
}

MappingView mapping_view_of(const applications::RankGrid& grid, std::int64_t bytes,
                            applications::Nodes nodes,
                            const std::optional<applications::Mapping>& chosen) {
  applications::MessageMatrix matrix = applications::halo_messages(grid, bytes);
  const std::string shape = join_numbers(grid.sizes, "x");
  MappingView view{.header = {"grid " + shape, fmt::format("{} B to each neighbour", bytes)},
                   .source = shape,
                   .command = {},
                   .mpi_library = {},
                   .seconds = {},
                   .matrix = std::move(matrix),
                   .nodes = std::move(nodes),
                   .advice = {},
                   .is_chosen = chosen.has_value(),
                   .before = {},
                   .after = {}};
  const auto measured = [&](applications::Mapping mapping) {
    mapping.cut = cut_of(view.matrix, {view.nodes.names, mapping.of_rank, view.nodes.known});
    return mapping;
  };
  if (chosen) {
    view.advice = {.now = measured({"ranks in order", view.nodes.of_rank, {}}),
                   .best = measured(*chosen),
                   .bound_bytes = cut_bound(view.matrix, view.nodes),
                   .tried = {}};
  } else {
    view.advice = applications::find_mapping(view.matrix, view.nodes);
    view.advice.now.how = "ranks in order";
  }
  count_messages(view);
  return view;
}

Screen screen_of(const MappingView& view) {
  Names hosts;
  for (const std::string& name : view.nodes.names) hosts.add(name);
  std::vector<std::string> header{hosts.text()};
  header.insert(header.end(), view.header.begin(), view.header.end());
  std::erase(header, "");
  Screen screen{.header = {join(header, "  ")},
                .answer = answer_in(view),
                .verdict = {},
                .reliability = {std::string(words::bytes_of_messages)},
                .next = {}};
  if (view.advice.is_change() || view.is_chosen) {
    screen.next = {{view.command + " -o ranks", "write it for the launcher"},
                   {view.command + " --all", "every mapping that was tried"}};
  }
  return screen;
}

View view_of_mappings(const std::vector<Mapping>& mappings) {
  const Columns<Mapping> columns{
      {{"mapping", "mapping", Unit::text, Form::terminal | Form::csv}, &Mapping::how},
      {{"how", "mapping", Unit::text, Form::json}, &Mapping::how},
      {{"cut_bytes", "bytes between nodes", Unit::bytes},
       [](const Mapping& one) { return one.cut.bytes; }},
      {{"cut_edges", "pairs of ranks", Unit::count},
       [](const Mapping& one) { return one.cut.edges; }}};
  return make_view(columns, mappings);
}

std::vector<Mapping> mappings_of(const MappingView& view) {
  std::vector<Mapping> mappings{view.advice.now};
  const auto add = [&](const Mapping& one) {
    if (std::ranges::find(mappings, one.how, &Mapping::how) == mappings.end()) {
      mappings.push_back(one);
    }
  };
  if (view.is_chosen) add(view.advice.best);
  std::ranges::for_each(view.advice.tried, add);
  return mappings;
}

nlohmann::json to_json(const MappingView& view) {
  const MappingAdvice& advice = view.advice;
  nlohmann::json document = json_of(advice.best);
  document.update({{"schema", "hockney.map/1"},
                   {"profile", view.source},
                   {"nodes", view.nodes.names},
                   {"placement", advice.best.of_rank},
                   {"bound_bytes", advice.bound_bytes},
                   {"change", advice.is_change()},
                   {"messages_before", view.before.count},
                   {"messages_after", view.after.count},
                   {"message_bytes_before", view.before.bytes},
                   {"message_bytes_after", view.after.bytes},
                   {"now", json_of(advice.now)},
                   {"node_matrix_before", matrix_json(view, view.nodes.of_rank)},
                   {"node_matrix_after", matrix_json(view, advice.best.of_rank)},
                   {"tried", to_json(view_of_mappings(advice.tried))}});
  return document;
}

}  // namespace hockney::report
