#include "profile/library/call_site.hpp"

#include <unwind.h>

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
  const auto* const end = reinterpret_cast<const char*>(_Unwind_GetCFA(context));
  if (end <= walk.frame) return _URC_NO_REASON;
  const auto* const slot = reinterpret_cast<const _Unwind_Ptr*>(end) - 1;
  if (*slot == _Unwind_GetIP(context)) {
    walk.distance = reinterpret_cast<const char*>(slot) - walk.frame;
  }
  return _URC_NORMAL_STOP;
}

}  // namespace

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
