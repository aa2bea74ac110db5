#include "application/where/probe/thread_places.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "core/error.hpp"

namespace hockney::where {
namespace {

constexpr int most_cpus = placement::largest_cpu + 1;

/// A set for as many CPUs as Linux may have; cpu_set_t ends at 1024.
class CpuSet {
 public:
  CpuSet() : set_(CPU_ALLOC(most_cpus)) { CPU_ZERO_S(bytes(), set_.get()); }

  [[nodiscard]] cpu_set_t* get() const { return set_.get(); }
  [[nodiscard]] static std::size_t bytes() { return CPU_ALLOC_SIZE(most_cpus); }

  [[nodiscard]] std::vector<int> members() const {
    std::vector<int> cpus;
    for (int cpu = 0; cpu < most_cpus; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes(), set_.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  void fill() {
    for (int cpu = 0; cpu < most_cpus; ++cpu) {
      CPU_SET_S(static_cast<std::size_t>(cpu), bytes(), set_.get());
    }
  }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };
  std::unique_ptr<cpu_set_t, Free> set_;
};

/// A page nobody has touched before.
class FreshPage {
 public:
  FreshPage()
      : bytes_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        page_(::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
  }
  FreshPage(const FreshPage&) = delete;
  FreshPage& operator=(const FreshPage&) = delete;
  FreshPage(FreshPage&&) = delete;
  FreshPage& operator=(FreshPage&&) = delete;
  ~FreshPage() {
    if (is_mapped()) ::munmap(page_, bytes_);
  }

  /// Touches it, and asks where the kernel has put it (get_mempolicy(2), as libnuma does).
  std::optional<int> touched_on() {
    constexpr unsigned long node_of_address = 3;  // MPOL_F_NODE | MPOL_F_ADDR
    if (!is_mapped()) return std::nullopt;
    *static_cast<volatile char*>(page_) = 1;
    int node = -1;
    const long failed = ::syscall(SYS_get_mempolicy, &node, nullptr, 0UL, page_, node_of_address);
    return failed != 0 || node < 0 ? std::nullopt : std::optional(node);
  }

 private:
  [[nodiscard]] bool is_mapped() const { return page_ != MAP_FAILED; }

  std::size_t bytes_;
  void* page_;
};

}  // namespace

ThreadPlace place_of_this_thread() {
  const CpuSet allowed;
  if (::sched_getaffinity(0, CpuSet::bytes(), allowed.get()) != 0) {
    throw RunError({"cannot read the CPU affinity of a thread", std::strerror(errno), ""});
  }
  return {.allowed_cpus = allowed.members(),
          .last_cpu = ::sched_getcpu(),
          .memory_node = FreshPage().touched_on()};
}

std::vector<ThreadPlace> places_of_threads() {
#ifdef _OPENMP
  std::vector<ThreadPlace> places;
#pragma omp parallel
  {
#pragma omp single
    places.resize(static_cast<std::size_t>(omp_get_num_threads()));
    // All are at work here: the barrier of single has seen each of them.
    places[static_cast<std::size_t>(omp_get_thread_num())] = place_of_this_thread();
  }
  return places;
#else
  return {place_of_this_thread()};
#endif
}

std::string openmp_runtime() {
#ifdef _OPENMP
  Dl_info where{};
  if (::dladdr(reinterpret_cast<void*>(&omp_get_num_threads), &where) != 0) {
    return std::filesystem::path(where.dli_fname).filename().string();
  }
#endif
  return {};
}

void free_this_process() {
  CpuSet all;
  all.fill();
  ::sched_setaffinity(0, CpuSet::bytes(), all.get());  // the kernel keeps what the job may not use
}

}  // namespace hockney::where
