#include "application/library/call_site.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>
#include <array>

namespace hockney::profile {
namespace {

/// A walk up the stack to the frame above another.
struct Walk {
  const char* frame = nullptr;
  std::ptrdiff_t distance = 0;
};

[[maybe_unused]] _Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  // The frame that was called from here ends there; the return address is the last word of it.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it is how the unwinder tells addresses
  const auto* const end = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  if (end <= walk.frame) return _URC_NO_REASON;
  const auto* const slot = reinterpret_cast<const _Unwind_Ptr*>(end) - 1;
  if (*slot == _Unwind_GetIP(context)) {
    walk.distance = reinterpret_cast<const char*>(slot) - walk.frame;
  }
  return _URC_NORMAL_STOP;
}

/// The executable has no name among what is loaded.
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

/// Of dl_iterate_phdr; not 0 ends it.
int look_for_place(dl_phdr_info* module, std::size_t /*size*/, void* data) {
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

}  // namespace

std::optional<CodePlace> code_place(const void* address) {
  PlaceSearch search{.address = reinterpret_cast<ElfW(Addr)>(address), .found = {}};
  dl_iterate_phdr(look_for_place, &search);
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
#if defined(__x86_64__)  // elsewhere return addresses are at no fixed place of a frame
  Walk walk{.frame = call.frame};
  if (call.frame != nullptr) _Unwind_Backtrace(step, &walk);
  return walk.distance;
#else
  return 0;
#endif
}

}  // namespace hockney::profile
