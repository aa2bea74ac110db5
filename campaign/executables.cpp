#include "campaign/executables.hpp"

#include <elf.h>
#include <unistd.h>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace hockney::campaign {
namespace {

[[noreturn]] void reject(const std::string& program, const std::string& why) {
  throw InputError({"cannot tell the MPI library of '" + program + "'", why,
                    "name the launcher with --launcher"});
}

/// A program's bytes; every read is checked, since the file may be cut short or hostile.
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

  /// Where the byte at a virtual address lies in the file.
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

/// Addresses and values share their 64 bits.
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

/// What a user may have meant: the programs of the suite that are there.
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
  // The dynamic linker does not look at a RPATH where there is a RUNPATH.
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
                                    : "it is neither in " + join(ours) + " nor in PATH";
  const std::string nearest = suggest(program, programs_in(ours));
  throw InputError({"program '" + name + "' not found", where,
                    "give --executable-dir or build it" + (nearest.empty() ? "" : "; " + nearest)});
}

}  // namespace hockney::campaign
