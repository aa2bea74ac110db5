// Code whose names are known: line numbers are in frame_names_test.cpp.
namespace grid {
namespace {

__attribute__((always_inline)) inline const void* inlined_here() {
  const void* address = nullptr;
  asm volatile("lea 0(%%rip), %0" : "=r"(address));
  return address;
}

}  // namespace

/// An address in the function that is inlined here.
__attribute__((noinline)) const void* solve(int steps) {
  return steps > 0 ? inlined_here() : nullptr;
}

}  // namespace grid

extern "C" const void* address_in_inlined() { return grid::solve(1); }
