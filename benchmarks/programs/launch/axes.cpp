#include "benchmarks/programs/launch/axes.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "benchmarks/harness/datatypes.hpp"
#include "core/cli/command_line.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::benchmarks::programs {
namespace {

/// The values of an enum.
template <WordedEnum Enum>
AxisValues named(const Parameter<Enum>& parameter) {
  const auto read = [&parameter](const std::string& option, const std::string& text) {
    return ParameterValue(parameter,
                          parse_word<Enum>(text, fmt::format("bad value '{}' for {}", text, option),
                                           "there is no such choice"));
  };
  return {.parameter = &parameter, .words = valid_words<Enum>(), .read = read};
}

/// Whole numbers from `least` on.
AxisValues numbered(const Parameter<int>& parameter, int least, std::vector<std::string> words) {
  const auto read = [&parameter, least](const std::string& option, const std::string& text) {
    return ParameterValue(parameter, parse_count<int>(option, text, least));
  };
  return {.parameter = &parameter, .words = std::move(words), .read = read, .type = "N,..."};
}

/// Values that `parse` converts from words.
template <class Value, class Parse>
AxisValues parsed(const Parameter<Value>& parameter, std::vector<std::string> words, Parse parse,
                  const std::string& type = "") {
  const auto read = [&parameter, parse](const std::string&, const std::string& text) {
    return ParameterValue(parameter, parse(text));
  };
  return {.parameter = &parameter, .words = std::move(words), .read = read, .type = type};
}

CacheState parse_cache(const std::string& name) {
  return parse_word<CacheState>(name, fmt::format("unknown cache state '{}'", name),
                                "buffers are in the caches, out of them, or in untouched pages");
}

Distribution parse_distribution(const std::string& name) {
  return parse_word<Distribution>(name, fmt::format("unknown distribution '{}' for --counts", name),
                                  "no distribution of counts has this name");
}

std::string_view parse_datatype(const std::string& name) {
  check_datatype_name(name);
  return *std::ranges::find(datatype_names(), name);
}

AxisValues thread_counts() {
  AxisValues values = numbered(threads_parameter, 1, {"1", "2"});
  values.read = [](const std::string& option, const std::string& text) {
    const int threads = parse_count<int>(option, text, 1);
    if (threads <= most_threads) return ParameterValue(threads_parameter, threads);
    throw InputError({fmt::format("{} {}", option, text), "there are too few tags for them",
                      fmt::format("use at most {}", most_threads)});
  };
  return values;
}

template <class Value>
std::vector<ParameterValue> values_of(const Parameter<Value>& parameter,
                                      const std::vector<Value>& values) {
  std::vector<ParameterValue> all;
  for (const Value& value : values) all.emplace_back(parameter, value);
  return all;
}

/// For Axis::otherwise: the value of points without the parameter, and all values.
template <const auto& parameter>
std::vector<ParameterValue> plain_value(const Descriptor&) {
  return {{parameter, parameter.unsaid}};
}
template <const auto& parameter>
std::vector<ParameterValue> every_value(const Descriptor&) {
  return values_of(parameter, every<std::decay_t<decltype(parameter.unsaid)>>());
}

bool carries_data(const Descriptor& operation) { return operation.sized; }
bool overlaps(const Descriptor& operation) { return operation.overlaps; }
bool is_one_sided(const Descriptor& operation) { return operation.one_sided; }
bool moves_files(const Descriptor& operation) { return operation.files && operation.sized; }

constexpr const char* no_data = "none of them carries data";
constexpr const char* no_window = "none of them is one-sided";
constexpr const char* no_files = "none of them writes or reads files";
constexpr const char* no_work = "none of them lets work go on beside it";

/// Operations that reduce, or have one element, always have the datatype as a parameter.
std::vector<Axis> type_axes() {
  return {{.values = parsed(datatype_parameter, datatype_names(), parse_datatype),
           .section = Section::types,
           .option = "--datatype",
           .help = "all, or some of " + join(datatype_names()),
           .usual = "byte; double in reductions",
           .applies = carries_data,
           .why_not = no_data,
           .otherwise =
               [](const Descriptor& operation) {
                 const bool says_its_type = operation.reduces || operation.one_element;
                 return says_its_type ? values_of(datatype_parameter, {operation.usual_datatype})
                                      : std::vector<ParameterValue>();
               }},
          {.values = parsed(operator_parameter, operator_names(),
                            [](const std::string& name) { return &find_operator(name); }),
           .section = Section::types,
           .option = "--operator",
           .help = "Of reductions: all, or some of " + join(operator_names()),
           .usual = "sum",
           .applies = [](const Descriptor& operation) { return operation.reduces; },
           .why_not = "none of them is a reduction",
           .otherwise =
               [](const Descriptor&) {
                 return values_of(operator_parameter, {&operators().front()});
               }}};
}

std::vector<Axis> one_sided_axes() {
  return {{.values = named(window_kind_parameter),
           .section = Section::one_sided,
           .option = "--window-kind",
           .help = "How memory comes into a window: all, or some of created, allocated, dynamic "
                   "and shared, joined by commas",
           .usual = "allocated",
           .applies = is_one_sided,
           .why_not = no_window,
           .otherwise = plain_value<window_kind_parameter>},
          {.values = named(synchronisation_parameter),
           .section = Section::one_sided,
           .option = "--synchronisation",
           .help = "How calls are completed: all, or some of fence, pscw (post, start, complete, "
                   "wait), lock, lock-all (around each), flush and flush-local",
           .usual = "flush",
           .applies = is_one_sided,
           .why_not = no_window,
           .otherwise = plain_value<synchronisation_parameter>},
          {.values = named(completion_parameter),
           .section = Section::one_sided,
           .option = "--completion",
           .help = "Where the time ends: origin (the call has returned), target (which may read "
                   "its memory, and knows it), or both joined by a comma",
           .usual = "origin,target; origin of what changes nothing",
           .applies = is_one_sided,
           .why_not = no_window,
           .otherwise = [](const Descriptor& operation) {
             return operation.changes_target ? every_value<completion_parameter>(operation)
                                             : plain_value<completion_parameter>(operation);
           }}};
}

/// Parameters of calls between ranks. Without a choice the window depends on the size.
// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Axis> call_axes() {
  return {
      {.values = parsed(counts_parameter, valid_words<Distribution>(), parse_distribution),
       .section = Section::collectives,
       .option = "--counts",
       .help = "How the blocks of vector collectives differ from rank to rank: all, or some of " +
               join(valid_words<Distribution>()),
       .usual = "equal",
       .applies = [](const Descriptor& operation) { return operation.divides; },
       .why_not = "none of them has a count for each rank",
       .otherwise = plain_value<counts_parameter>},
      {.values = parsed(root_parameter, {"first", "rotating"}, parse_root),
       .section = Section::collectives,
       .option = "--root",
       .help = "first, rotating (the next rank in every call) or a rank's number; joined by commas",
       .usual = "first",
       .applies = [](const Descriptor& operation) { return operation.rooted; },
       .why_not = "none of them has a root"},
      {.values = named(layout_parameter),
       .section = Section::layout,
       .option = "--layout",
       .help = "How the data of derived-pingpong, pack-pingpong and copy-pingpong lie: all, or "
               "some of contiguous, vector, indexed and struct; half of the memory is gaps",
       .usual = "vector",
       .why_not = "the data of none of them have gaps",
       .otherwise = plain_value<layout_parameter>},
      {.values = numbered(window_parameter, 1, {"1", "4", "16", "64"}),
       .section = Section::windows,
       .option = "--window",
       .help = "Messages in a window of the windowed operations: numbers joined by commas, or all "
               "for 1,4,16,64",
       .usual = "64, fewer above 512K",
       .applies = [](const Descriptor& operation) { return operation.windowed; },
       .why_not = "none of them has windows"},
      {.values = parsed(flows_parameter, {"1", "all"}, parse_flows, "1|all,..."),
       .section = Section::contention,
       .option = "--flows",
       .help = "How many messages of cut, fan-in, fan-out and victim meet, or pairs of "
               "message-rate are at work, numbers or all, joined by commas; the factor is that "
               "to 1",
       .usual = "1,all; all of message-rate",
       .applies = [](const Descriptor& operation) { return operation.contends; },
       .why_not = "none of them lets messages meet",
       .otherwise =
           [](const Descriptor& operation) {
             // Many pairs with a window each use all pairs by default.
             return operation.windowed ? std::vector<ParameterValue>()
                                       : values_of(flows_parameter, {Flows{1}, Flows{}});
           }},
      {.values = numbered(pairing_parameter, 0, {"1"}),
       .section = Section::contention,
       .option = "--pairing",
       .help = "Which random pairs the operations have that draw them: a number gives the same "
               "pairs every time; joined by commas",
       .usual = "1",
       .why_not = "none of them draws pairs",
       .otherwise = plain_value<pairing_parameter>},
      {.values = named(in_place_parameter),
       .section = Section::collectives,
       .option = "--in-place",
       .help = "no, yes (MPI_IN_PLACE), or both joined by a comma",
       .usual = "no",
       .applies = [](const Descriptor& operation) { return operation.in_place != InPlace::never; },
       .why_not = "none of them can receive in place"}};
}

std::vector<Axis> noise_axes() {
  return {{.values = named(neighbours_parameter),
           .section = Section::noise,
           .option = "--neighbours",
           .help = "What the others of a hop class do beside neighbour-work: all, or some of idle, "
                   "computing and streaming (through memory)",
           .usual = "all",
           .applies = [](const Descriptor& operation) { return operation.has_neighbours; },
           .why_not = "none of them has neighbours",
           .otherwise = every_value<neighbours_parameter>},
          {.values = named(pages_parameter),
           .section = Section::noise,
           .option = "--pages",
           .help = "Those of page-touch: all, or some of same (since the launch began), moved "
                   "(others for every sample) and fresh (others for every pass, never touched "
                   "before)",
           .usual = "all",
           .why_not = "none of them chooses its pages",
           .otherwise = every_value<pages_parameter>}};
}

std::vector<Axis> file_axes() {
  return {
      {.values = named(file_sharing_parameter),
       .section = Section::file_sharing,
       .option = "--files",
       .help = "one (a file of all ranks), per-rank (a file of each), or both joined by a comma",
       .usual = "one",
       .applies = [](const Descriptor& operation) { return operation.files; },
       .otherwise = plain_value<file_sharing_parameter>},
      {.values = named(file_pointer_parameter),
       .section = Section::file_pointers,
       .option = "--pointer",
       .help = "What says where a call begins: all, or some of individual (a pointer of each "
               "rank), explicit (an argument) and shared (one pointer of all ranks)",
       .usual = "individual",
       .applies = moves_files,
       .why_not = no_files,
       .otherwise = plain_value<file_pointer_parameter>},
      {.values = named(file_layout_parameter),
       .section = Section::file_data,
       .option = "--layout",
       .help = "Data of a rank in the file of all: blocks (one rank after another), strided "
               "(pieces of all ranks in turn, by a file view), or both joined by a comma",
       .usual = "blocks",
       .applies = moves_files,
       .why_not = no_files,
       .otherwise = plain_value<file_layout_parameter>},
      {.values = named(file_cache_parameter),
       .section = Section::file_data,
       .option = "--cache",
       .help = "all, or some of kept (the system's caches do what they do), synced (MPI_File_sync "
               "is timed with each call) and direct (O_DIRECT, where the library does it)",
       .usual = "kept",
       .applies = moves_files,
       .why_not = no_files,
       .otherwise = plain_value<file_cache_parameter>}};
}

std::vector<Axis> buffer_axes() {
  return {
      {.values = parsed(cache_parameter, valid_words<CacheState>(), parse_cache),
       .section = Section::buffers,
       .option = "--cache",
       .help = "all, or some of hot (the same buffers again), cold (more than the caches hold) "
               "and fresh (untouched pages)",
       .usual = "hot",
       .applies = [](const Descriptor& operation) { return operation.sized && !operation.files; },
       .why_not = no_data,
       .otherwise = plain_value<cache_parameter>},
      {.values = parsed(memory_parameter, memory_names(), parse_memory),
       .section = Section::buffers,
       .option = "--memory",
       .help = "What buffers are made of: all, or some of host, huge (pages), numa:N, "
               "numa:near, numa:far, cuda, rocm, each also as cuda-managed, cuda-pinned; A-to-B "
               "where both sides of pairs differ, "
               "cuda-to-host",
       .usual = "host",
       .applies = carries_data,
       .why_not = no_data}};
}

/// Computation of a target is optional; beside a nonblocking call it is measured by default.
/// MPI_Test is called only in computation during a call.
std::vector<Axis> work_axes() {
  return {{.values = named(work_parameter),
           .section = Section::work,
           .option = "--work",
           .help = "Beside a nonblocking call, or by the target of a one-sided one: none (its pure "
                   "time), alone (work as long as that, and no call), during (both at once); all, "
                   "or some joined by commas",
           .usual = "all; none of one-sided operations",
           .applies = overlaps,
           .why_not = no_work,
           .otherwise =
               [](const Descriptor& operation) {
                 return operation.one_sided ? std::vector<ParameterValue>()
                                            : every_value<work_parameter>(operation);
               }},
          {.values = numbered(tests_parameter, 0, {"0"}),
           .section = Section::work,
           .option = "--tests",
           .help = "How often MPI_Test (the target of a one-sided call: MPI_Iprobe) is called in "
                   "the work during a call; joined by commas",
           .usual = "0",
           .applies = overlaps,
           .why_not = no_work,
           .otherwise = plain_value<tests_parameter>,
           .applies_at = [](const Parameters& parameters) {
             return parameters[work_parameter] == Work::during;
           }}};
}

std::vector<Axis> thread_axes() {
  return {{.values = thread_counts(),
           .section = Section::threads,
           .option = "--threads",
           .help = "Threads of each rank, numbers joined by commas: each makes points of its own",
           .usual = "1,2",
           .applies = [](const Descriptor& operation) { return operation.threaded; },
           .why_not = "none of them is by threads",
           .otherwise =
               [](const Descriptor&) {
                 return values_of(threads_parameter, {1, 2});
               }},
          {.values = named(communicators_parameter),
           .section = Section::threads,
           .option = "--communicators",
           .help = "Of the threads of a rank: each (one for each), shared (one for all, and tags "
                   "distinguish their messages), or all",
           .usual = "each",
           .why_not = "no threads of them could share a communicator",
           .otherwise = plain_value<communicators_parameter>}};
}

std::vector<Axis> timing_axes() {
  return {{.values = named(cadence_parameter),
           .section = Section::collectives,
           .option = "--cadence",
           .help = "isolated (ranks begin every call together), streaming (calls in a row, which "
                   "may overlap), or both joined by a comma",
           .usual = "isolated",
           .applies = [](const Descriptor& operation) { return operation.single; },
           .why_not = "none of them is timed call by call"},
          {.values = {.parameter = &variant_parameter},
           .applies = [](const Descriptor&) { return true; }},
          {.values = parsed(timing_parameter, valid_words<Suite>(), parse_suite),
           .section = Section::suites,
           .option = "--compat",
           .help = "Beside each time what these suites would print, measured in the same launch: "
                   "osu (the first rank's mean or the mean over ranks), imb (t_max); joined by "
                   "commas, or all. --start and --samples do not apply to them",
           .usual = "none",
           .applies = fits_suite_loops,
           .why_not = "no suite's way of timing them is known here"}};
}

std::vector<Axis> all_axes() {
  std::vector<Axis> all;
  for (const auto& some : {type_axes(), one_sided_axes(), call_axes(), noise_axes(), file_axes(),
                           buffer_axes(), work_axes(), thread_axes(), timing_axes()}) {
    std::ranges::copy(some, std::back_inserter(all));
  }
  return all;
}

/// Every set with each of some values; unchanged sets if there are no values.
std::vector<Parameters> combined(const std::vector<Parameters>& sets,
                                 const std::vector<ParameterValue>& values,
                                 bool (*applies_at)(const Parameters&) = nullptr) {
  if (values.empty()) return sets;
  std::vector<Parameters> all;
  for (const Parameters& set : sets) {
    if (applies_at != nullptr && !applies_at(set)) {
      all.push_back(set);
      continue;
    }
    for (const ParameterValue& value : values) {
      all.push_back(set);
      all.back().set(value);
    }
  }
  return all;
}

/// Parameters of the files' place and file system.
Parameters place_of_files(const Descriptor& operation, const FileChoices& files) {
  Parameters place;
  if (!files.path.empty()) place.set(file_path_parameter, files.path);
  if (!files.file_system.empty()) place.set(file_system_parameter, files.file_system);
  if (operation.sized && files.space) place.set(file_space_parameter, *files.space);
  return place;
}

/// Adds the further points of the operation, each once.
void add_further(std::vector<Parameters>& all, const Descriptor& descriptor,
                 const LaunchOptions& options) {
  const std::vector<Parameters> requested = all;
  for (const FurtherPoints& further : options.further) {
    if (further.operation != descriptor.name) continue;
    for (Parameters set : requested) {
      set.set(further.parameters);
      if (std::ranges::find(all, set) == all.end()) all.push_back(std::move(set));
    }
  }
}

/// Whether suites end the time of one-sided calls at this completion. If the target takes part,
/// they halve the time of a call and its reply; otherwise they time the rank that calls.
bool is_their_completion(const Parameters& parameters) {
  const bool at_target = parameters[completion_parameter] == Completion::target;
  return !parameters.contains(completion_parameter) ||
         is_active(parameters[synchronisation_parameter]) == at_target;
}

/// Whether suites have such points. They always use the same buffers, and their own cadence and
/// amount of work.
bool is_known_to_suites(const Parameters& parameters) {
  return is_their_completion(parameters) && parameters[cache_parameter] == CacheState::hot &&
         parameters[cadence_parameter] == Cadence::isolated &&
         parameters[work_parameter] == Work::none;
}

}  // namespace

const std::vector<Axis>& axes() {
  static const std::vector<Axis> all = all_axes();
  return all;
}

void add_axes(CommandLine& app, Section section, LaunchOptions& options) {
  for (const Axis& axis : axes()) {
    if (axis.section != section || app.has_option(axis.option)) continue;
    const AxisValues& values = axis.values;
    const auto take = [&options, &axis](const std::string& text) {
      options.choices.take(*axis.values.parameter,
                           parse_list(text, axis.values.words, [&axis](const std::string& word) {
                             return axis.values.read(axis.option, word);
                           }));
    };
    add_parsed_option(app, axis.option, take, axis.help,
                      values.type.empty() ? type_of_list(values.words) : values.type)
        .default_str(axis.usual);
  }
}

Parameters parameters_of(const GuidelineSide& side) {
  const Descriptor& operation = find_operation(side.operation).descriptor;
  Parameters parameters;
  for (const auto& [name, text] : side.parameters) {
    const auto axis = std::ranges::find_if(axes(), [&name = name, &operation](const Axis& one) {
      return one.values.parameter->name == name && one.concerns(operation);
    });
    if (axis == axes().end())
      throw std::logic_error(fmt::format("{} has no {}", side.operation, name));
    parameters.set(axis->values.read(axis->option, text));
  }
  return parameters;
}

std::vector<Parameters> parameters_of(const Descriptor& descriptor, const LaunchOptions& options) {
  std::vector<Parameters> all(1);
  if (descriptor.files) all.front() = place_of_files(descriptor, options.files);
  for (const Axis& axis : axes()) {
    const AnyParameter& parameter = *axis.values.parameter;
    if (!axis.concerns(descriptor) || &parameter == &timing_parameter) continue;
    const std::vector<ParameterValue>& chosen = options.choices.values(parameter);
    const bool says_usual = chosen.empty() && axis.otherwise != nullptr;
    all = combined(all, says_usual ? axis.otherwise(descriptor) : chosen, axis.applies_at);
  }
  add_further(all, descriptor, options);
  const std::vector<ParameterValue>& suites = options.choices.values(timing_parameter);
  if (suites.empty() || !fits_suite_loops(descriptor)) return all;
  std::vector<Parameters> known;
  std::ranges::copy_if(all, std::back_inserter(known), is_known_to_suites);
  std::ranges::move(combined(known, suites), std::back_inserter(all));
  return all;
}

std::string name_without_work(Point point) {
  point.parameters.erase(work_parameter);
  point.parameters.erase(tests_parameter);
  return fmt::format("{} at {}", curve_name(point), point.bytes.value);
}

}  // namespace hockney::benchmarks::programs
