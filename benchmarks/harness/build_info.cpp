#include "benchmarks/harness/build_info.hpp"

namespace hockney {

Build build_info() {
  return {.version = HOCKNEY_VERSION,
          .git_revision = HOCKNEY_GIT_REVISION,
          .compiler = HOCKNEY_COMPILER,
          .flags = HOCKNEY_FLAGS};
}

}  // namespace hockney
