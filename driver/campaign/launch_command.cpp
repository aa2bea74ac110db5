#include "driver/campaign/launch_command.hpp"

#include <elf.h>
#include <unistd.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/shell.hpp"
#include "core/text.hpp"
#include "driver/campaign/config.hpp"

namespace hockney::campaign {
namespace {

/// Properties of each kind of launcher and family, in the order of the enumerators.
constexpr std::array<Dialect, 6> dialects_of_kinds{Dialect::openmpi, Dialect::openmpi,
                                                   Dialect::hydra,   Dialect::hydra,
                                                   Dialect::srun,    Dialect::smpirun};

struct Family {
  MpiFamily family;
  Dialect dialect;
  std::string_view title;
};

constexpr std::array<Family, 3> families{{{MpiFamily::openmpi, Dialect::openmpi, "Open MPI"},
                                          {MpiFamily::mpich, Dialect::hydra, "MPICH or Intel MPI"},
                                          {MpiFamily::simgrid, Dialect::smpirun, "SimGrid"}}};

struct Library {
  std::string_view title;
  MpiFamily family;
  std::optional<LauncherKind> kind;  ///< nullopt: any of the family
};

/// In the order of the enumerators.
constexpr std::array<Library, 6> libraries{
    {{"Open MPI", MpiFamily::openmpi, std::nullopt},
     {"Open MPI 4", MpiFamily::openmpi, LauncherKind::openmpi4},
     {"Open MPI 5", MpiFamily::openmpi, LauncherKind::openmpi5},
     {"MPICH", MpiFamily::mpich, LauncherKind::mpich},
     {"Intel MPI", MpiFamily::mpich, LauncherKind::intel},
     {"SimGrid", MpiFamily::simgrid, LauncherKind::simgrid}}};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "mpirun (Open MPI) 5.0.3" is based on PRRTE, whose own versions start at 1.
LauncherKind open_mpi_kind(std::string_view text) {
  if (contains(text, "PRRTE") || contains(text, "prte")) return LauncherKind::openmpi5;
  const std::size_t number = text.find_first_of("0123456789");
  if (number == std::string_view::npos) return LauncherKind::openmpi4;
  const bool two_digits = number + 1 < text.size() && text[number + 1] != '.';
  return two_digits || text[number] >= '5' ? LauncherKind::openmpi5 : LauncherKind::openmpi4;
}

using Arguments = std::vector<std::string>;

/// Whether the user's arguments have `option`, which the launcher accepts only once.
bool says(const Job& job, std::string_view option) {
  return std::ranges::any_of(job.launcher_arguments, [&](const std::string& argument) {
    return std::string_view(argument) == option ||
           (argument.starts_with(option) && argument[option.size()] == '=');
  });
}

Arguments open_mpi(const Launcher& launcher, const Job& job) {
  Arguments arguments;
  if (job.as_root) arguments.emplace_back("--allow-run-as-root");
  const std::string each = job.per_node ? fmt::format("ppr:{}:node", *job.per_node) : "";
  if (launcher.kind == LauncherKind::openmpi4) {
    arguments.emplace_back("--oversubscribe");
    if (!each.empty()) append(arguments, {"--map-by", each, "--enable-recovery"});
  } else if (!says(job, "--map-by")) {
    // PRRTE deprecates --oversubscribe in favour of this modifier of the mapping.
    append(arguments, {"--map-by", each + ":OVERSUBSCRIBE"});
  }
  if (!says(job, "--bind-to")) append(arguments, {"--bind-to", "none"});
  if (each.empty()) append(arguments, {"-n", std::to_string(job.ranks)});
  for (const auto& [name, value] : job.environment) {
    // mpirun exports OMPI_MCA_ variables without -x.
    if (!name.starts_with("OMPI_MCA_")) append(arguments, {"-x", name});
  }
  return arguments;
}

Arguments hydra(const Launcher& launcher, const Job& job) {
  Arguments arguments{"-n", std::to_string(job.ranks)};
  if (job.per_node) append(arguments, {"-ppn", std::to_string(*job.per_node)});
  if (launcher.kind == LauncherKind::mpich && !says(job, "-bind-to")) {
    append(arguments, {"-bind-to", "none"});
  }
  if (launcher.kind == LauncherKind::intel && !job.environment.contains("I_MPI_PIN")) {
    append(arguments, {"-genv", "I_MPI_PIN", "0"});
  }
  for (const auto& [name, value] : job.environment) append(arguments, {"-genv", name, value});
  return arguments;
}

/// Variables are passed in the environment: a list in --export is split at commas in values.
Arguments srun(const Launcher& launcher, const Job& job) {
  Arguments arguments{"-n", std::to_string(job.ranks), "--export=ALL",
                      job.per_node ? "--kill-on-bad-exit=0" : "--kill-on-bad-exit=1"};
  if (job.per_node) arguments.push_back(fmt::format("--ntasks-per-node={}", *job.per_node));
  if (!says(job, "--cpu-bind")) arguments.emplace_back("--cpu-bind=none");
  if (launcher.programs == MpiFamily::openmpi && !says(job, "--mpi")) {
    arguments.emplace_back("--mpi=pmix");
  } else if (launcher.programs == MpiFamily::mpich && !says(job, "--mpi")) {
    arguments.emplace_back("--mpi=pmi2");
  }
  return arguments;
}

Arguments own_arguments(const Launcher& launcher, const Job& job) {
  switch (dialect_of(launcher.kind)) {
    case Dialect::openmpi:
      return open_mpi(launcher, job);
    case Dialect::hydra:
      return hydra(launcher, job);
    case Dialect::srun:
      return srun(launcher, job);
    case Dialect::smpirun:
      break;
  }
  return {"-np", std::to_string(job.ranks)};
}

[[noreturn]] void reject(const std::string& program, const std::string& why) {
  throw InputError({fmt::format("unknown MPI library of '{}'", program), why,
                    "name the launcher with --launcher"});
}

/// A program's bytes; every read is checked, since the file may be truncated or malicious.
class ElfImage {
 public:
  explicit ElfImage(const std::string& program) : program_(program), bytes_(read_file(program)) {
    const auto header = read<Elf64_Ehdr>(0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64) {
      reject(program_, "it is no 64-bit ELF program");
    }
    for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
      segments_.push_back(read<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize));
    }
  }

  /// The entries of the dynamic section up to DT_NULL; none for a static program.
  [[nodiscard]] std::vector<Elf64_Dyn> dynamic() const {
    std::vector<Elf64_Dyn> entries;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type != PT_DYNAMIC) continue;
      for (std::uint64_t at = 0; at < segment.p_filesz; at += sizeof(Elf64_Dyn)) {
        entries.push_back(read<Elf64_Dyn>(segment.p_offset + at));
        if (entries.back().d_tag == DT_NULL) break;
      }
    }
    return entries;
  }

  /// The file offset of the byte at a virtual address.
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_) {
      const bool inside =
          address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz;
      if (segment.p_type == PT_LOAD && inside) {
        return address - segment.p_vaddr + segment.p_offset;
      }
    }
    reject(program_, "its string table is outside the file");
  }

  [[nodiscard]] std::string text(std::uint64_t offset) const {
    const std::size_t end = offset < bytes_.size() ? bytes_.find('\0', offset) : std::string::npos;
    if (end == std::string::npos) reject(program_, "it is cut short");
    return bytes_.substr(offset, end - offset);
  }

 private:
  template <class Value>
  [[nodiscard]] Value read(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Value)) {
      reject(program_, "it is no whole ELF program");
    }
    Value value{};
    std::memcpy(&value, bytes_.data() + offset, sizeof(Value));
    return value;
  }

  std::string program_;
  std::string bytes_;
  std::vector<Elf64_Phdr> segments_;
};

/// The 64 bits of an entry: an address or a value.
std::uint64_t value_of(const Elf64_Dyn& entry) { return std::bit_cast<std::uint64_t>(entry.d_un); }

std::vector<std::string> search_folders(const std::string& path, const std::string& program) {
  const std::string origin =
      std::filesystem::absolute(program).lexically_normal().parent_path().string();
  std::vector<std::string> folders;
  for (std::string folder : split(path, ':')) {
    for (const std::string_view token : {"${ORIGIN}", "$ORIGIN"}) {
      if (const auto at = folder.find(token); at != std::string::npos) {
        folder.replace(at, token.size(), origin);
      }
    }
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

/// libmpi.so.12 is the MPICH ABI; Open MPI has counted from 40 since its version 3.
std::optional<MpiFamily> family_of_library(std::string_view library) {
  if (library.starts_with("libsimgrid")) return MpiFamily::simgrid;
  if (library.starts_with("libmpich") || library.starts_with("libmpi_abi")) return MpiFamily::mpich;
  if (library.starts_with("libopen-")) return MpiFamily::openmpi;
  constexpr std::string_view stem = "libmpi.so";
  if (!library.starts_with(stem)) return std::nullopt;
  int version = 0;
  const std::string_view number = library.substr(std::min(library.size(), stem.size() + 1));
  std::from_chars(number.data(), number.data() + number.size(), version);
  return version == 12 ? MpiFamily::mpich : MpiFamily::openmpi;
}

namespace fs = std::filesystem;

bool is_executable(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

/// Names of the suite's programs in the folders, as suggestions for a misspelt name.
std::vector<std::string> programs_in(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("hockney-") && is_executable(entry.path())) names.push_back(name);
    }
  }
  return names;
}

}  // namespace

std::optional<Dialect> parse_dialect(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (const auto known = find_word<Dialect>(text)) return known;
  std::vector<std::string> valid = valid_words<Dialect>();
  valid.insert(valid.begin(), "auto");
  throw InputError({fmt::format("unknown launcher dialect '{}'", text),
                    "hockney has no options for it", suggest(text, valid)});
}

Dialect natural_dialect(MpiFamily family) {
  return families.at(static_cast<std::size_t>(family)).dialect;
}

LauncherKind usual_kind(Dialect dialect) {
  const auto* const first = std::ranges::find(dialects_of_kinds, dialect);
  return static_cast<LauncherKind>(first - dialects_of_kinds.begin());
}

Dialect dialect_of(LauncherKind kind) {
  return dialects_of_kinds.at(static_cast<std::size_t>(kind));
}

std::optional<MpiFamily> family_of(LauncherKind kind) {
  const auto* const found = std::ranges::find(families, dialect_of(kind), &Family::dialect);
  return found == families.end() ? std::nullopt : std::optional(found->family);
}

std::string_view title(RequiredLibrary library) {
  return libraries.at(static_cast<std::size_t>(library)).title;
}

bool belongs_to(RequiredLibrary library, LauncherKind kind, std::optional<MpiFamily> programs) {
  const Library& wanted = libraries.at(static_cast<std::size_t>(library));
  const auto family = programs ? programs : family_of(kind);
  if (family && *family != wanted.family) return false;
  return kind == LauncherKind::slurm || !wanted.kind || *wanted.kind == kind;
}

std::string_view title(MpiFamily family) {
  return families.at(static_cast<std::size_t>(family)).title;
}

std::optional<LauncherKind> recognise_launcher(std::string_view version_output) {
  if (contains(version_output, "Intel(R) MPI")) return LauncherKind::intel;
  if (contains(version_output, "HYDRA")) return LauncherKind::mpich;
  for (const std::string_view name : {"Open MPI", "OpenRTE", "PRRTE", "prterun"}) {
    const std::size_t at = version_output.find(name);
    if (at != std::string_view::npos) return open_mpi_kind(version_output.substr(at));
  }
  if (contains(version_output, "SimGrid")) return LauncherKind::simgrid;
  if (version_output.starts_with("slurm")) return LauncherKind::slurm;
  return std::nullopt;
}

Command launch_command(const Launcher& launcher, const Job& job) {
  Command command{.arguments = {launcher.command}, .environment = job.environment};
  append(command.arguments, own_arguments(launcher, job));
  append(command.arguments, job.launcher_arguments);
  append(command.arguments, job.program);
  return command;
}

std::string to_shell(const Command& command) {
  std::string line;
  for (const auto& [name, value] : command.environment)
    line += fmt::format("{}={} ", name, shell_word(value));
  return line + shell_words(command.arguments);
}

bool is_elf(const std::string& file) {
  std::array<char, SELFMAG> magic{};
  std::ifstream in(file, std::ios::binary);
  return in.read(magic.data(), magic.size()) && std::memcmp(magic.data(), ELFMAG, SELFMAG) == 0;
}

ElfNeeds read_elf_needs(const std::string& program) {
  const ElfImage image(program);
  const std::vector<Elf64_Dyn> entries = image.dynamic();
  std::uint64_t strings = 0;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_STRTAB) strings = image.offset_of(value_of(entry));
  }
  // The dynamic linker ignores RPATH if there is a RUNPATH.
  const bool has_runpath =
      std::ranges::find(entries, DT_RUNPATH, &Elf64_Dyn::d_tag) != entries.end();
  const Elf64_Sxword folders = has_runpath ? DT_RUNPATH : DT_RPATH;
  ElfNeeds needs;
  for (const Elf64_Dyn& entry : entries) {
    if (entry.d_tag == DT_NEEDED) {
      needs.libraries.push_back(image.text(strings + value_of(entry)));
    } else if (entry.d_tag == folders) {
      needs.folders = search_folders(image.text(strings + value_of(entry)), program);
    }
  }
  return needs;
}

std::string mpi_library(const ElfNeeds& needs) {
  for (const std::string& library : needs.libraries) {
    if (family_of_library(library)) return library;
  }
  return {};
}

std::optional<MpiFamily> mpi_family(const ElfNeeds& needs) {
  return family_of_library(mpi_library(needs));
}

std::vector<std::string> path_folders(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return {};
  std::vector<std::string> folders = split(path, ':');
  std::erase(folders, "");
  return folders;
}

std::string own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().string();
}

std::optional<std::string> command_to_build() {
  const fs::path build = fs::path(own_folder()).parent_path();
  if (!fs::exists(build / "CMakeCache.txt")) return std::nullopt;
  const std::string folder = to_shell({.arguments = {build.string()}, .environment = {}});
  return fmt::format("cmake -DHOCKNEY_PROGRAMS=all {0} && cmake --build {0}", folder);
}

std::optional<std::string> find_executable(const std::string& name,
                                           const std::vector<std::string>& folders) {
  if (name.find('/') != std::string::npos) {
    return is_executable(name) ? std::optional(name) : std::nullopt;
  }
  for (const std::string& folder : folders) {
    const fs::path file = fs::path(folder) / name;
    if (is_executable(file)) return file.string();
  }
  return std::nullopt;
}

std::string find_program(const std::string& program, const std::string& config_folder,
                         const std::vector<std::string>& executable_folders) {
  std::vector<std::string> folders = executable_folders;
  folders.push_back(own_folder());
  const std::vector<std::string> ours = folders;
  for (const std::string& folder : path_folders()) folders.push_back(folder);
  const bool is_path = program.find('/') != std::string::npos;
  const std::string name = is_path ? (fs::path(config_folder) / program).string() : program;
  if (const auto file = find_executable(name, folders)) {
    return fs::absolute(*file).lexically_normal().string();
  }
  const std::string where = is_path ? "there is no such executable file"
                                    : fmt::format("it is neither in {} nor in PATH", join(ours));
  const std::string nearest = suggest(program, programs_in(ours));
  const std::string or_nearest = nearest.empty() ? "" : "; " + nearest;
  const auto build = command_to_build();
  if (build && program.starts_with("hockney-")) {
    throw InputError({fmt::format("program '{}' not found", name), where,
                      fmt::format("build it: {}{}", *build, or_nearest)});
  }
  throw InputError({fmt::format("program '{}' not found", name), where,
                    "give --executable-dir or build it" + or_nearest});
}

}  // namespace hockney::campaign
