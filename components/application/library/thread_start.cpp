#include <pthread.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "components/application/library/process.hpp"
#include "components/application/library/real.hpp"

// Threads of the program are sampled, too; OpenMP's runtimes make theirs with pthread_create.
namespace hockney::profile {
namespace {

/// What a sampled thread runs.
struct ThreadStart {
  void* (*function)(void*);
  void* argument;
  Sampler* sampler;
};

/// Ends the timer of a thread, however it ends: by return, pthread_exit() or cancellation.
void end_sampled_thread(void* sampler) { static_cast<Sampler*>(sampler)->end_thread(); }

/// nullopt if the program has all keys: then timers of threads end with the sampling.
std::optional<pthread_key_t> key_of_sampled_threads() {
  static const std::optional<pthread_key_t> key = [] {
    pthread_key_t made{};
    const bool is_made = ::pthread_key_create(&made, end_sampled_thread) == 0;
    return is_made ? std::optional(made) : std::nullopt;
  }();
  return key;
}

/// Whether the handler would take too much of a thread's stack.
bool has_small_stack(const pthread_attr_t* given) {
  std::size_t size = 0;
  return given != nullptr && ::pthread_attr_getstacksize(given, &size) == 0 &&
         size < 2 * Sampler::least_stack();
}

void* run_sampled(void* data) {
  const ThreadStart start = *std::unique_ptr<ThreadStart>(static_cast<ThreadStart*>(data));
  start.sampler->begin_thread();
  if (const auto key = key_of_sampled_threads()) ::pthread_setspecific(*key, start.sampler);
  return start.function(start.argument);
}

}  // namespace
}  // namespace hockney::profile

HOCKNEY_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* given,
                                  void* (*function)(void*), void* argument) {
  using namespace hockney::profile;  // NOLINT(google-build-using-namespace): of one function
  HOCKNEY_NEXT(pthread_create, int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*));
  Sampler* const sampler = Process::sampler_of_new_thread();
  if (sampler == nullptr || has_small_stack(given)) return next(thread, given, function, argument);
  StackWalk::set_thread_start(reinterpret_cast<const void*>(&run_sampled));
  auto start = std::make_unique<ThreadStart>(ThreadStart{function, argument, sampler});
  const int error = next(thread, given, run_sampled, start.get());
  if (error == 0) static_cast<void>(start.release());
  return error;
}
