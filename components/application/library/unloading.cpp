#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

namespace hockney::profile {

Process::Unloading::Unloading()
    : recorder_(process_ == ::getpid() ? Process::recorder_.load() : nullptr) {
  if (recorder_ != nullptr) recorder_->before_unload();
}

Process::Unloading::~Unloading() {
  if (recorder_ != nullptr && recorder_ == Process::recorder_) recorder_->after_unload();
}

}  // namespace hockney::profile

// Code of another library may be at the same addresses later.
HOCKNEY_EXPORT int dlclose(void* handle) noexcept {
  HOCKNEY_NEXT(dlclose, int(void*));
  const hockney::profile::Process::Unloading unloading;
  return next(handle);
}
