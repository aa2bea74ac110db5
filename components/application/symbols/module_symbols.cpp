#include "components/application/symbols/module_symbols.hpp"

#include <utility>

#include "components/application/symbols/frame_names.hpp"

#if defined(HOCKNEY_HAVE_ELFUTILS)
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <fmt/format.h>
#include <cstdlib>
#include <span>
#endif

namespace hockney::symbols {

#if defined(HOCKNEY_HAVE_ELFUTILS)

namespace {

using applications::CodeFunction;
using applications::CodeName;

struct Free {
  void operator()(void* memory) const { std::free(memory); }  // NOLINT: libdw's malloc
};

/// Scopes around an address, innermost first.
class Scopes {
 public:
  Scopes(Dwarf_Die* unit, Dwarf_Addr address) {
    Dwarf_Die* found = nullptr;
    if (::dwarf_getscopes(unit, address, &found) <= 0) return;
    const std::unique_ptr<Dwarf_Die, Free> innermost(found);
    // Above an inlined function those scopes are of its definition, not of its caller.
    Dwarf_Die* chain = nullptr;
    const int size = ::dwarf_getscopes_die(innermost.get(), &chain);
    dies_.reset(chain);
    if (size > 0) size_ = static_cast<std::size_t>(size);
  }

  [[nodiscard]] std::span<Dwarf_Die> all() const { return {dies_.get(), size_}; }

 private:
  std::unique_ptr<Dwarf_Die, Free> dies_;
  std::size_t size_ = 0;
};

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

std::string text_attribute(Dwarf_Die& die, unsigned int name) {
  Dwarf_Attribute attribute;
  return text_of(::dwarf_formstring(::dwarf_attr_integrate(&die, name, &attribute)));
}

int number_attribute(Dwarf_Die& die, unsigned int name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  const bool is_there = ::dwarf_formudata(::dwarf_attr(&die, name, &attribute), &value) == 0;
  return is_there ? static_cast<int>(value) : 0;
}

/// Linkage names have the namespaces of a function; a name that is no C++ is C's or Fortran's own.
std::string name_of(Dwarf_Die& die) {
  std::string linkage = text_attribute(die, DW_AT_linkage_name);
  if (linkage.empty()) linkage = text_attribute(die, DW_AT_MIPS_linkage_name);
  const std::string readable = readable_name(linkage);
  const bool is_mangled = readable != linkage;
  const std::string plain = text_of(::dwarf_diename(&die));
  return (is_mangled || plain.empty()) && !linkage.empty() ? readable : plain;
}

CodeFunction function_of(Dwarf_Die& die, const std::string& module) {
  CodeFunction function{.name = name_of(die), .module = module, .file = {}, .line = 0};
  function.file = text_of(::dwarf_decl_file(&die));
  ::dwarf_decl_line(&die, &function.line);
  return function;
}

bool is_function(Dwarf_Die& die) {
  const int tag = ::dwarf_tag(&die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_entry_point;
}

/// The line of an inlined call, in the function around it.
void set_call_place(Dwarf_Die& inlined, Dwarf_Die& unit, CodeName& name) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const int file = number_attribute(inlined, DW_AT_call_file);
  if (file > 0 && ::dwarf_getsrcfiles(&unit, &files, &count) == 0) {
    name.file = text_of(::dwarf_filesrc(files, static_cast<std::size_t>(file), nullptr, nullptr));
  }
  name.line = number_attribute(inlined, DW_AT_call_line);
}

}  // namespace

class ModuleSymbols::File {
 public:
  explicit File(const std::string& path) : dwfl_(::dwfl_begin(&callbacks)) {
    if (dwfl_ == nullptr) return;
    ::dwfl_report_begin(dwfl_.get());
    module_ = ::dwfl_report_elf(dwfl_.get(), path.c_str(), path.c_str(), -1, 0, false);
    ::dwfl_report_end(dwfl_.get(), nullptr, nullptr);
    if (module_ != nullptr && ::dwfl_module_getelf(module_, &bias_) == nullptr) module_ = nullptr;
  }

  [[nodiscard]] bool is_read() const { return module_ != nullptr; }

  [[nodiscard]] std::string build_id() const {
    const unsigned char* bits = nullptr;
    GElf_Addr place = 0;
    const int size = is_read() ? ::dwfl_module_build_id(module_, &bits, &place) : 0;
    std::string text;
    for (int i = 0; i < size; ++i) text += fmt::format("{:02x}", bits[i]);
    return text;
  }

  [[nodiscard]] std::vector<CodeName> names_of(std::int64_t address,
                                               const std::string& path) const {
    if (!is_read()) return {};
    const Dwarf_Addr place = static_cast<Dwarf_Addr>(address) + bias_;
    std::vector<CodeName> names = by_debugging(place, path);
    if (!names.empty()) return names;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* const found =
        ::dwfl_module_addrinfo(module_, place, &offset, &symbol, nullptr, nullptr, nullptr);
    if (found == nullptr) return {};
    // libdw finds no scopes in procedures of Fortran's modules, but their lines.
    CodeName name = line_of(place);
    name.function = {readable_name(found), path, name.file, 0};
    return {std::move(name)};
  }

 private:
  [[nodiscard]] std::vector<CodeName> by_debugging(Dwarf_Addr address,
                                                   const std::string& path) const {
    Dwarf_Addr bias = 0;
    Dwarf_Die* const unit = ::dwfl_module_addrdie(module_, address, &bias);
    if (unit == nullptr) return {};
    std::vector<CodeName> names;
    CodeName next = line_of(address);
    const Scopes scopes(unit, address - bias);
    for (Dwarf_Die& die : scopes.all()) {
      if (!is_function(die)) continue;
      next.function = function_of(die, path);
      if (!next.function.name.empty()) names.push_back(next);
      if (::dwarf_tag(&die) != DW_TAG_inlined_subroutine) break;
      set_call_place(die, *unit, next);
    }
    return names;
  }

  [[nodiscard]] CodeName line_of(Dwarf_Addr address) const {
    CodeName name;
    Dwfl_Line* const line = ::dwfl_module_getsrc(module_, address);
    if (line == nullptr) return name;
    name.file = text_of(::dwfl_lineinfo(line, nullptr, &name.line, nullptr, nullptr, nullptr));
    return name;
  }

  struct End {
    void operator()(Dwfl* dwfl) const { ::dwfl_end(dwfl); }
  };

  static constexpr Dwfl_Callbacks callbacks{.find_elf = nullptr,
                                            .find_debuginfo = ::dwfl_standard_find_debuginfo,
                                            .section_address = ::dwfl_offline_section_address,
                                            .debuginfo_path = nullptr};

  std::unique_ptr<Dwfl, End> dwfl_;
  Dwfl_Module* module_ = nullptr;
  Dwarf_Addr bias_ = 0;  ///< of addresses in libdwfl against those in the file
};

bool can_read_symbols() { return true; }

#else

class ModuleSymbols::File {
 public:
  explicit File(const std::string& /*path*/) {}
  [[nodiscard]] static bool is_read() { return false; }
  [[nodiscard]] static std::string build_id() { return {}; }
  [[nodiscard]] static std::vector<applications::CodeName> names_of(std::int64_t /*address*/,
                                                                    const std::string& /*path*/) {
    return {};
  }
};

bool can_read_symbols() { return false; }

#endif

ModuleSymbols::ModuleSymbols(const std::string& path)
    : path_(path), file_(std::make_unique<File>(path)) {}
ModuleSymbols::ModuleSymbols(ModuleSymbols&&) noexcept = default;
ModuleSymbols& ModuleSymbols::operator=(ModuleSymbols&&) noexcept = default;
ModuleSymbols::~ModuleSymbols() = default;

bool ModuleSymbols::is_read() const { return file_->is_read(); }
std::string ModuleSymbols::build_id() const { return file_->build_id(); }

std::vector<applications::CodeName> ModuleSymbols::names_of(std::int64_t address) const {
  return file_->names_of(address, path_);
}

}  // namespace hockney::symbols
