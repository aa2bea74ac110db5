#include "components/application/library/stack_walk.hpp"

#include <pthread.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace hockney::profile {
namespace {

/// Registers of an interrupted thread.
struct Registers {
  std::uint64_t instruction = 0;
  std::uint64_t frame = 0;
  std::uint64_t stack = 0;
};

Registers registers_of([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {static_cast<std::uint64_t>(machine.gregs[REG_RIP]),
          static_cast<std::uint64_t>(machine.gregs[REG_RBP]),
          static_cast<std::uint64_t>(machine.gregs[REG_RSP])};
#elif defined(__aarch64__)
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {machine.pc, machine.regs[29], machine.sp};
#else
  return {};
#endif
}

#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35) && __GNUC__ >= 12
#define HOCKNEY_UNWINDS_IN_HANDLERS  // NOLINT(cppcoreguidelines-macro-usage)
#endif
#endif

sigset_t faults_of_walks() {
  sigset_t faults{};
  ::sigemptyset(&faults);
  ::sigaddset(&faults, SIGSEGV);
  ::sigaddset(&faults, SIGBUS);
  return faults;
}

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): of a thread
#if defined(HOCKNEY_SIMULATED_PROFILE)
std::uint64_t own_stack_end = 0;
#else
thread_local std::uint64_t own_stack_end __attribute__((tls_model("initial-exec"))) = 0;
#endif
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

/// State of a walk by unwind tables.
struct Steps {
  StackWalk& walk;
  std::uint64_t interrupted = 0;
  bool has_passed_handler = false;
  std::uint64_t last_end = 0;  ///< end of the frame before; 0: a signal may change the stack

  static _Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
    Steps& steps = *static_cast<Steps*>(data);
    StackWalk& walk = steps.walk;
    int is_before_instruction = 0;
    const std::uint64_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
    if (!steps.has_passed_handler) {  // frames of the handler
      steps.has_passed_handler = address == steps.interrupted;
      return _URC_NO_REASON;
    }
    if (address == 0 || walk.size_ == StackWalk::most_frames) return _URC_NORMAL_STOP;
    const std::uint64_t end = _Unwind_GetCFA(context);
    if (end < steps.last_end) return _URC_NORMAL_STOP;  // a wrong entry: callers are further out
    steps.last_end = is_before_instruction != 0 ? 0 : end;
    if (_Unwind_GetRegionStart(context) == StackWalk::thread_start_) {
      walk.thread_start_at_ = walk.size_;
    }
    // A return address may belong to the next line or function.
    walk.frames_.at(walk.size_++) = address - (is_before_instruction != 0 ? 0 : 1);
    return _URC_NO_REASON;
  }
};

// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): frames are written as they come
StackWalk::StackWalk(const void* context) {
  frames_[size_++] = registers_of(context).instruction;
  if (!completes([&] { walk(context); })) size_ = 1;
}

template <class Walk>
bool StackWalk::completes(Walk&& walk) {
  std::jmp_buf place;
  if (_setjmp(place) != 0) return false;
  escape_ = &place;
  walk();
  escape_ = nullptr;
  return true;
}

void StackWalk::walk(const void* context) {
#if defined(HOCKNEY_UNWINDS_IN_HANDLERS)
  Steps steps{.walk = *this, .interrupted = registers_of(context).instruction};
  _Unwind_Backtrace(Steps::step, &steps);
#else
  const Registers registers = registers_of(context);
  size_ += by_frame_pointers(registers.frame, {registers.stack, own_stack_end},
                             std::span(frames_).subspan(1));
#endif
}

std::size_t StackWalk::by_frame_pointers(std::uint64_t frame, const AddressRange& stack,
                                         std::span<std::uint64_t> into) {
  struct Pair {
    std::uint64_t next;
    std::uint64_t address;
  };
  std::size_t size = 0;
  while (size < into.size() && frame % sizeof(std::uint64_t) == 0 && stack.has(frame) &&
         stack.end - frame >= sizeof(Pair)) {
    Pair pair{};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): registers are numbers
    std::memcpy(&pair, reinterpret_cast<const void*>(frame), sizeof pair);
    if (pair.address == 0) break;
    into[size++] = pair.address - 1;
    if (pair.next <= frame) break;  // the stack grows down
    frame = pair.next;
  }
  return size;
}

std::span<const std::uint64_t> StackWalk::callers_of(const AddressRange& own) const {
  std::size_t first = 0;
  for (std::size_t i = 0; i < std::min(size_, thread_start_at_); ++i) {
    if (own.has(frames_.at(i))) first = i + 1;
  }
  return frames().subspan(first);
}

void StackWalk::escape() {
  if (escape_ == nullptr) return;
  std::jmp_buf* const place = escape_;
  escape_ = nullptr;
  const sigset_t faults = faults_of_walks();  // the jump leaves them blocked
  ::pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
  // NOLINTNEXTLINE(cert-err52-cpp): out of a handler nothing else leads back
  std::longjmp(*place, 1);
}

bool StackWalk::is_within(const void* function) {
  struct Search {
    _Unwind_Ptr function;
    bool is_found;
  };
  Search search{reinterpret_cast<_Unwind_Ptr>(function), false};
  const auto look = [](_Unwind_Context* context, void* data) {
    auto& wanted = *static_cast<Search*>(data);
    wanted.is_found = _Unwind_GetRegionStart(context) == wanted.function;
    return wanted.is_found ? _URC_NORMAL_STOP : _URC_NO_REASON;
  };
  const sigset_t faults = faults_of_walks();
  sigset_t before{};
  ::pthread_sigmask(SIG_UNBLOCK, &faults, &before);
  const bool is_good = completes([&] { _Unwind_Backtrace(look, &search); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_good && search.is_found;
}

void StackWalk::set_thread_start(const void* function) {
  thread_start_ = reinterpret_cast<std::uint64_t>(function);
}

std::uint64_t stack_end() {
  if (own_stack_end != 0) return own_stack_end;
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* begin = nullptr;
  std::size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    own_stack_end = reinterpret_cast<std::uint64_t>(begin) + size;
  }
  ::pthread_attr_destroy(&attributes);
  return own_stack_end;
}

}  // namespace hockney::profile
