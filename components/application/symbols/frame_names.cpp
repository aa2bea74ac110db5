#include "components/application/symbols/frame_names.hpp"

#include <cxxabi.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "components/application/symbols/module_symbols.hpp"
#include "core/quantities.hpp"
#include "core/text.hpp"

namespace hockney::symbols {
namespace {

using applications::CodeName;

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

/// The library that records, and bindings of MPI for other languages: their frames are not the
/// program's.
bool is_between(const std::string& module) {
  return file_name(module).starts_with("libhockney-profile");
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) return symbol;
  const std::string name = text.get();
  return name.substr(0, name.find(" [clone"));
}

/// The name of a function for a copy or part of it that a compiler made. The body of a parallel
/// region of OpenMP ("main._omp_fn.0") keeps its own.
std::string without_clone(const std::string& symbol) {
  constexpr std::array<std::string_view, 7> clones{".constprop", ".isra",     ".part", ".cold",
                                                   ".clone",     ".lto_priv", ".llvm."};
  std::size_t end = symbol.size();
  for (const std::string_view clone : clones) end = std::min(end, symbol.find(clone));
  return symbol.substr(0, end);
}

bool is_lower(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
  });
}

/// "[libm.so.6]", for code without names.
std::string module_word(const std::string& path) {
  const std::string file = file_name(path);
  return file.starts_with("linux-vdso") ? "[vdso]" : fmt::format("[{}]", file);
}

/// A module of a profile. Its symbols are read when the first frame needs them.
class NamedModule {
 public:
  NamedModule(const profile::CodeModule& module, const std::string& written_utc)
      : module_(module), written_utc_(written_utc) {}

  std::vector<CodeName> names_of(std::int64_t offset) {
    if (is_between(module_.path)) return {};
    if (!symbols_) {
      symbols_ = std::make_unique<ModuleSymbols>(module_.path);
      is_same_ = symbols_->is_read() && is_same();
    }
    std::vector<CodeName> names;
    if (is_same_) names = symbols_->names_of(offset);
    if (names.empty()) {
      names.emplace_back();
      names.front().function = {module_word(module_.path), module_.path, "", 0};
    }
    return names;
  }

  [[nodiscard]] bool has_changed() const { return symbols_ && symbols_->is_read() && !is_same_; }

 private:
  /// By its build id; without one it must be older than the profile.
  [[nodiscard]] bool is_same() const {
    if (!module_.build_id.empty()) return symbols_->build_id() == module_.build_id;
    struct stat status {};
    return ::stat(module_.path.c_str(), &status) == 0 && utc_text(status.st_mtime) <= written_utc_;
  }

  const profile::CodeModule& module_;
  const std::string& written_utc_;
  std::unique_ptr<ModuleSymbols> symbols_;
  bool is_same_ = false;
};

}  // namespace

std::string readable_name(const std::string& symbol) {
  if (symbol.starts_with("_Z")) return demangled(symbol);
  constexpr std::string_view between = "_MOD_";
  const std::size_t module = symbol.find(between);
  if (symbol.starts_with("__") && module != std::string::npos && module > 2) {
    return fmt::format("{}::{}", symbol.substr(2, module - 2),
                       symbol.substr(module + between.size()));
  }
  const std::string name = without_clone(symbol);
  const bool is_fortran =
      name.size() > 1 && name.back() == '_' && name.front() != '_' && is_lower(name);
  return is_fortran ? name.substr(0, name.size() - 1) : name;
}

NamedFrames name_frames(const profile::Profile& profile) {
  NamedFrames named;
  if (!profile.samples) return named;
  if (!can_read_symbols()) {
    named.doubts.emplace_back(
        "functions have no names: this hockney was built without elfutils (libdw)");
  }
  std::vector<NamedModule> modules;
  modules.reserve(profile.samples->modules.size());
  for (const profile::CodeModule& module : profile.samples->modules) {
    modules.emplace_back(module, profile.written_utc);
  }
  for (const profile::Frame& frame : profile.samples->frames) {
    if (frame.module) {
      named.names.push_back(
          modules[static_cast<std::size_t>(*frame.module)].names_of(frame.offset));
    } else {
      named.names.push_back({{.function = {"[code made at run time]", "", "", 0}}});
    }
  }
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (!modules[i].has_changed()) continue;
    named.doubts.push_back(fmt::format("'{}' is not the file that ran: its functions have no names",
                                       escaped(profile.samples->modules[i].path)));
  }
  return named;
}

}  // namespace hockney::symbols
