#include "components/application/library/loaded_code.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <cstring>
#include <utility>

namespace hockney::profile {
namespace {

/// State of a walk up the stack to the frame above a given one.
struct Walk {
  const char* frame = nullptr;
  std::ptrdiff_t distance = 0;
};

[[maybe_unused]] _Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  // The frame called from here ends at this address; its last word is the return address.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is how the unwinder tells addresses
  const auto* const end = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  if (end <= walk.frame) return _URC_NO_REASON;
  const auto* const slot = reinterpret_cast<const _Unwind_Ptr*>(end) - 1;
  if (*slot == _Unwind_GetIP(context)) {
    walk.distance = reinterpret_cast<const char*>(slot) - walk.frame;
  }
  return _URC_NORMAL_STOP;
}

/// Path of a loaded module; an empty name means the executable.
std::string path_of(const char* name) {
  if (*name != '\0') return name;
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size() - 1);
  return length > 0 ? path.data() : "";
}

struct PlaceSearch {
  ElfW(Addr) address = 0;
  std::optional<CodePlace> found;
};

/// Callback of dl_iterate_phdr; a non-zero result ends the iteration.
int find_place(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& search = *static_cast<PlaceSearch*>(data);
  for (ElfW(Half) i = 0; i < module->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module->dlpi_phdr[i];
    const ElfW(Addr) begin = module->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || search.address - begin >= part.p_memsz) continue;
    search.found = CodePlace{path_of(module->dlpi_name),
                             static_cast<std::int64_t>(search.address - module->dlpi_addr)};
    return 1;
  }
  return 0;
}

std::string hexadecimal(const unsigned char* bytes, std::size_t size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4U];
    text += digits[bytes[i] & 15U];
  }
  return text;
}

/// The build id in the notes of a segment; empty if there is none.
std::string build_id_in(const char* notes, std::size_t size) {
  constexpr std::size_t alignment = 4;
  const auto padded = [](std::size_t length) {
    return (length + alignment - 1) / alignment * alignment;
  };
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= size;) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, notes + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + padded(note.n_namesz);
    const std::size_t end = content + padded(note.n_descsz);
    if (end > size) break;
    const bool is_build_id = note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                             std::string_view(notes + name, 3) == "GNU";
    if (is_build_id) {
      return hexadecimal(reinterpret_cast<const unsigned char*>(notes) + content, note.n_descsz);
    }
    at = end;
  }
  return {};
}

/// Addresses of a module's code; from 0 to 0 if it has none.
AddressRange code_of(const dl_phdr_info& module) {
  AddressRange code;
  for (ElfW(Half) i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uint64_t begin = module.dlpi_addr + part.p_vaddr;
    code.begin = code.end == 0 ? begin : std::min(code.begin, begin);
    code.end = std::max(code.end, begin + part.p_memsz);
  }
  return code;
}

LoadedModule describe_module(const dl_phdr_info& module) {
  const AddressRange code = code_of(module);
  LoadedModule found{.row = {.begin = code.begin, .end = code.end, .bias = module.dlpi_addr},
                     .path = path_of(module.dlpi_name)};
  for (ElfW(Half) i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = module.dlpi_phdr[i];
    const std::uint64_t begin = module.dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_NOTE && found.build_id.empty()) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses as numbers
      found.build_id = build_id_in(reinterpret_cast<const char*>(begin), part.p_memsz);
    }
  }
  return found;
}

int add_loaded(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& modules = *static_cast<LoadedModules*>(data);
  modules.now = module->dlpi_adds + module->dlpi_subs;
  if (modules.now == modules.seen) return 1;
  LoadedModule found = describe_module(*module);
  if (found.row.end > 0) modules.list.push_back(std::move(found));
  return 0;
}

/// Callback of dl_iterate_phdr.
int add_code(dl_phdr_info* module, std::size_t /*size*/, void* data) {
  auto& loaded = *static_cast<LoadedCode*>(data);
  loaded.unloads = module->dlpi_subs;
  loaded.ranges.push_back(code_of(*module));
  return 0;
}

}  // namespace

LoadedModules modules_after(std::uint64_t changes) {
  LoadedModules modules{.seen = changes};
  dl_iterate_phdr(add_loaded, &modules);
  return modules;
}

LoadedCode loaded_code() {
  LoadedCode loaded;
  dl_iterate_phdr(add_code, &loaded);
  return loaded;
}

std::optional<CodePlace> code_place(const void* address) {
  PlaceSearch search{.address = reinterpret_cast<ElfW(Addr)>(address), .found = {}};
  dl_iterate_phdr(find_place, &search);
  return search.found;
}

std::string_view function_at(std::uint64_t address) {
  Dl_info info{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): tables keep addresses as numbers
  const auto* const code = reinterpret_cast<const void*>(address);
  const bool is_found = dladdr(code, &info) != 0 && info.dli_sname != nullptr;
  return is_found ? info.dli_sname : std::string_view();
}

bool is_mpi_module(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.starts_with("libmpi");
}

std::ptrdiff_t caller_distance([[maybe_unused]] const CallSite& call) {
#if defined(__x86_64__)  // only here the return address has a fixed place in a frame
  Walk walk{.frame = call.frame};
  if (call.frame != nullptr) _Unwind_Backtrace(step, &walk);
  return walk.distance;
#else
  return 0;
#endif
}

}  // namespace hockney::profile
