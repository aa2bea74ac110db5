#include "driver/campaign/preload.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "driver/campaign/launch_command.hpp"

namespace hockney::campaign {
namespace {

std::string base_name(const std::string& command) {
  return std::filesystem::path(command).filename().string();
}

bool is_launcher(const std::string& command) {
  static const std::vector<std::string> stems{"mpirun", "mpiexec", "orterun", "prterun",
                                              "prun",   "srun",    "smpirun"};
  const std::string name = base_name(command);
  return std::ranges::any_of(stems, [&](const std::string& stem) {
    return name == stem || name.starts_with(stem + ".") || name.starts_with(stem + "-");
  });
}

/// Files of the programs in a command, in order.
std::vector<std::string> programs_of(const std::vector<std::string>& words) {
  std::vector<std::string> programs;
  for (const std::size_t place : places_of_programs(words)) {
    programs.push_back(find_executable(words[place], path_folders()).value_or(""));
  }
  return programs;
}

/// The ABI's name in messages.
std::string title_of(RecordedAbi abi) {
  if (abi == RecordedAbi::standard) return "the ABI of MPI 5 (mpi_abi.h)";
  return std::string(title(abi == RecordedAbi::openmpi ? MpiFamily::openmpi : MpiFamily::mpich));
}

/// nullopt for the simulator.
std::optional<RecordedAbi> native_abi(MpiFamily family) {
  if (family == MpiFamily::simgrid) return std::nullopt;
  return family == MpiFamily::openmpi ? RecordedAbi::openmpi : RecordedAbi::mpich;
}

/// The ABI of the library that a program is linked with; nullopt without MPI. InputError for the
/// simulator.
std::optional<RecordedAbi> abi_of_program(const std::string& program) {
  const ElfNeeds needs = read_elf_needs(program);
  if (mpi_library(needs).starts_with("libmpi_abi")) return RecordedAbi::standard;
  const auto family = mpi_family(needs);
  if (!family) return std::nullopt;
  if (*family != MpiFamily::simgrid) return native_abi(*family);
  throw InputError({fmt::format("'{}' runs on the simulator", program),
                    "what is preloaded does not reach its ranks",
                    "link it with libhockney-profile-smpi.a"});
}

/// InputError for a path that the dynamic linker would change. ld.so 2.36 splits LD_PRELOAD at
/// blanks and colons, and replaces $ORIGIN, $LIB and $PLATFORM.
std::string preloadable(const std::string& library) {
  if (library.find_first_of(" :$") == std::string::npos) return library;
  throw InputError({fmt::format("'{}' cannot be loaded before a program", library),
                    "LD_PRELOAD takes no path with a blank, a colon or a $",
                    "install hockney in a folder whose path has none"});
}

/// The library, followed by the present value of LD_PRELOAD.
std::string preload_list(const std::string& library) {
  const char* before = std::getenv("LD_PRELOAD");
  return before == nullptr || *before == '\0' ? library : fmt::format("{}:{}", library, before);
}

/// The words of a launcher's command without a file of programs: Open MPI's --app and Hydra's
/// -configfile have a program with its options in each line, as words between ':' do. mpirun(1) of
/// Open MPI 4.1 ignores -x beside --app.
std::vector<std::string> with_listed_programs(std::vector<std::string> words) {
  const auto option = std::ranges::find_if(words, [](const std::string& word) {
    return word == "--app" || word == "-app" || word == "-configfile" || word == "--configfile";
  });
  if (!is_launcher(words.front()) || option == words.end() || option + 1 == words.end()) {
    return words;
  }
  const std::string text = read_file(*(option + 1));
  words.erase(option, option + 2);
  bool is_first = true;
  for (std::string line : split(text, '\n')) {
    line.resize(std::min(line.find('#'), line.size()));
    std::ranges::replace_if(
        line, [](unsigned char letter) { return std::isspace(letter); }, ' ');
    std::vector<std::string> program = split(line, ' ');
    std::erase(program, "");
    if (program.empty()) continue;
    if (!std::exchange(is_first, false)) words.emplace_back(":");
    std::ranges::move(program, std::back_inserter(words));
  }
  return words;
}

constexpr std::string_view preload_variable = "LD_PRELOAD=";

/// Puts the library before a user's own list: `-x LD_PRELOAD=...` of Open MPI, of which the last
/// one is valid, and `-env` or `-genv LD_PRELOAD ...` of Hydra.
std::vector<std::string> before_own_lists(std::vector<std::string> words,
                                          const std::string& library) {
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    std::string& value = words[i + 1];
    if (words[i] == "-x" && value.starts_with(preload_variable)) {
      value.insert(preload_variable.size(), library + ":");
    } else if (words[i] == "-x" && value == "LD_PRELOAD") {
      value = preload_variable;
      value += preload_list(library);
    }
    const bool is_hydra = (words[i] == "-env" || words[i] == "-genv") && value == "LD_PRELOAD";
    if (is_hydra && i + 2 < words.size()) words[i + 2].insert(0, library + ":");
  }
  return words;
}

/// Inserts options after the first word. If they apply to one program only, repeats them after each
/// ':' between programs.
std::vector<std::string> with_options(const std::vector<std::string>& words,
                                      const std::vector<std::string>& options, bool repeated) {
  std::vector<std::string> all{words.front()};
  all.insert(all.end(), options.begin(), options.end());
  for (std::size_t i = 1; i < words.size(); ++i) {
    all.push_back(words[i]);
    if (repeated && words[i] == ":") all.insert(all.end(), options.begin(), options.end());
  }
  return all;
}

/// The value of srun's --export with the library. A list of the user's own, in `value` or in this
/// environment, comes after it.
std::string exported(const std::string& value, const std::string& library) {
  std::vector<std::string> settings = split(value, ',');
  for (std::string& setting : settings) {
    if (!setting.starts_with(preload_variable)) continue;
    setting.insert(preload_variable.size(), library + ":");
    return join(settings, ",");
  }
  return fmt::format("{},{}{}", value, preload_variable, preload_list(library));
}

/// srun takes only one --export; the user's values are kept.
std::vector<std::string> with_export(std::vector<std::string> words, const std::string& library) {
  if (const std::string list = preload_list(library); list.find(',') != std::string::npos) {
    throw InputError({fmt::format("srun cannot hand on '{}{}'", preload_variable, list),
                      "its option --export is a list that is split at commas",
                      "use paths without commas in LD_PRELOAD"});
  }
  const std::string option = "--export";
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) {
      words[i + 1] = exported(words[i + 1], library);
      return words;
    }
    if (!words[i].starts_with(option + "=")) continue;
    words[i] = option + "=" + exported(words[i].substr(option.size() + 1), library);
    return words;
  }
  words.insert(words.begin() + 1, option + "=" + exported("ALL", library));
  return words;
}

}  // namespace

std::optional<LauncherKind> launcher_named(const std::string& word,
                                           const VersionProbe& version_of) {
  if (!is_launcher(word)) return std::nullopt;
  if (base_name(word).starts_with("srun")) return LauncherKind::slurm;
  const auto file = find_executable(word, path_folders());
  return file ? recognise_launcher(version_of(*file)) : std::nullopt;
}

std::vector<std::size_t> places_of_programs(const std::vector<std::string>& words) {
  std::vector<std::size_t> places;
  for (std::size_t i = is_launcher(words.front()) ? 1 : 0; i < words.size(); ++i) {
    if (words[i].starts_with("-")) continue;
    const auto file = find_executable(words[i], path_folders());
    if (file && is_elf(*file)) places.push_back(i);
  }
  return places;
}

std::string profile_library(RecordedAbi abi) {
  const std::string name = fmt::format("libhockney-profile-{}.so", hockney::word(abi));
  const std::filesystem::path beside = std::filesystem::path(own_folder()).parent_path();
  for (const char* folder : {HOCKNEY_LIBRARY_FOLDER, "lib", "lib64"}) {
    const std::filesystem::path file = beside / folder / name;
    if (std::filesystem::exists(file)) return preloadable(file.string());
  }
  throw InputError({fmt::format("there is no '{}'", name),
                    fmt::format("it is built where the mpi.h of {} is", title_of(abi)),
                    "build hockney with that MPI's compiler at hand"});
}

RecordedAbi abi_of_command(const std::vector<std::string>& command,
                           const VersionProbe& version_of) {
  const std::vector<std::string> words = with_listed_programs(command);
  const std::vector<std::string> programs = programs_of(words);
  for (const std::string& program : programs) {
    if (const auto abi = abi_of_program(program)) return *abi;
  }
  const auto kind = launcher_named(words.front(), version_of);
  const auto family = kind ? family_of(*kind) : std::nullopt;
  const auto abi = family ? native_abi(*family) : std::nullopt;
  if (abi) {
    const bool is_static = programs.size() == 1 && read_elf_needs(programs[0]).libraries.empty();
    if (!is_static) return *abi;
    throw InputError({fmt::format("'{}' is linked statically", programs[0]),
                      "nothing can be loaded before it", "link it with MPI's shared library"});
  }
  throw InputError({fmt::format("unknown MPI library of '{}'", join(words, " ")),
                    "no program in it is linked with one, and its launcher says none",
                    "name it: --mpi " + join(valid_words<RecordedAbi>(), ", ")});
}

Command preloaded(const std::vector<std::string>& command, const std::string& library,
                  const std::map<std::string, std::string>& variables,
                  const VersionProbe& version_of) {
  const std::vector<std::string> words = with_listed_programs(command);
  const std::string list = preload_list(library);
  std::map<std::string, std::string> all = variables;
  all["LD_PRELOAD"] = list;
  const auto kind = launcher_named(words.front(), version_of);
  if (!kind) return {.arguments = words, .environment = all};
  if (*kind == LauncherKind::slurm) {
    return {.arguments = with_export(words, library), .environment = variables};
  }
  std::vector<std::string> options;
  const bool is_openmpi = dialect_of(*kind) == Dialect::openmpi;
  for (const auto& [name, value] : all) {
    if (is_openmpi) {
      options.insert(options.end(), {"-x", fmt::format("{}={}", name, value)});
    } else {
      options.insert(options.end(), {"-genv", name, value});
    }
  }
  return {.arguments = with_options(before_own_lists(words, library), options, is_openmpi),
          .environment = {}};
}

}  // namespace hockney::campaign
