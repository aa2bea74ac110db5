#pragma once

#include <sys/types.h>

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hockney::profile {

/// Addresses from `begin` up to `end`.
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] bool has(std::uint64_t address) const { return address - begin < end - begin; }
};

/// The stack of a thread that a signal interrupted. Walked by unwind tables (libgcc's
/// _Unwind_Backtrace): these exist for code without frame pointers, too. glibc 2.35 finds the table
/// of an address without a lock (_dl_find_object), so a walk is safe in signal handlers. Built
/// against an older glibc, frame pointers are followed instead.
class StackWalk {
 public:
  static constexpr std::size_t most_frames = 128;

  /// `context`: third argument of a signal handler. Call in the handler.
  explicit StackWalk(const void* context);

  /// Addresses within instructions, innermost first; the interrupted one is always there.
  [[nodiscard]] std::span<const std::uint64_t> frames() const { return {frames_.data(), size_}; }

  /// The frames outside of the last function of this library, `own`. They are the callers of a
  /// recorded MPI function. The function that starts threads (StackWalk::thread_start) is not one.
  [[nodiscard]] std::span<const std::uint64_t> callers_of(const AddressRange& own) const;

  /// For handlers of SIGSEGV and SIGBUS: if this thread is in a walk, ends it and does not return.
  /// Wrong unwind tables make a walk read from anywhere. That walk has one frame.
  static void escape();
  /// Whether this thread is in a function that a given one has called, perhaps through others and
  /// handlers. False if the tables on the way are wrong. Needs 4 KiB of stack.
  static bool is_within(const void* function);
  /// The function that starts sampled threads.
  static void set_thread_start(const void* function);

  /// Follows frame pointers within the stack: each points to the next, and a return address follows
  /// it. Returns the number of frames in `into`.
  static std::size_t by_frame_pointers(std::uint64_t frame, const AddressRange& stack,
                                       std::span<std::uint64_t> into);

 private:
  friend struct Steps;

  void walk(const void* context);
  /// Runs `walk`; false if it read where nothing is.
  template <class Walk>
  static bool completes(Walk&& walk);

  std::array<std::uint64_t, most_frames> frames_;  // NOLINT(*-member-init): large
  std::size_t size_ = 0;
  std::size_t thread_start_at_ = most_frames;  ///< index of the function that starts threads

  // NOLINTBEGIN(*-avoid-non-const-global-variables,readability-identifier-naming): of a process
#if defined(HOCKNEY_SIMULATED_PROFILE)
  static inline std::jmp_buf* escape_ = nullptr;  // never set: simulated ranks are not sampled
#else
  static inline thread_local std::jmp_buf* escape_ __attribute__((tls_model("initial-exec"))) =
      nullptr;
#endif
  static inline std::uint64_t thread_start_ = 0;
  // NOLINTEND(*-avoid-non-const-global-variables,readability-identifier-naming)
};

/// End of the stack of this thread; its stack grows down from there. 0 if it is not known.
std::uint64_t stack_end();

}  // namespace hockney::profile
