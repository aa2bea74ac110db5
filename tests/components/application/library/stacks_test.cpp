#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <thread>
#include <vector>

#include "components/application/library/stack_table.hpp"
#include "components/application/library/stack_walk.hpp"

// The table that signal handlers fill, and the walk up a stack.
namespace hockney::profile {

TEST_CASE("equal stacks have one row, and frames in MPI are apart from those outside") {
  Budget budget(std::size_t{1} << 20U);
  StackTable table(budget);
  const std::vector<std::uint64_t> one{10, 20, 30};
  const std::vector<std::uint64_t> other{11, 20, 30};
  table.add(one, 0, 1);
  table.add(one, 0, 4);
  table.add(one, 3, 1);
  table.add(other, 0, 2);
  CHECK(table.rows().empty());
  CHECK(table.frames().empty());
  table.close();
  REQUIRE(table.rows().size() == 3);
  std::int64_t found = 0;
  for (const StackRow& row : table.rows()) {
    REQUIRE(row.frames == 3);
    const auto frames = table.frames().subspan(row.first, row.frames);
    const bool is_one = std::vector<std::uint64_t>(frames.begin(), frames.end()) == one;
    if (is_one && row.function == 0) found = row.count;
  }
  CHECK(found == 5);
  CHECK(table.lost() == 0);
}

TEST_CASE("samples of code that is gone are apart from later ones of its addresses") {
  Budget budget(std::size_t{1} << 20U);
  StackTable table(budget);
  const std::vector<std::uint64_t> stack{0x1010, 0x5000};
  table.add(stack, 0, 3);
  constexpr std::uint64_t shift = std::uint64_t{1} << 48U;
  CHECK_FALSE(table.retire({0x8000, 0x9000}, shift));
  CHECK(table.retire({0x1000, 0x2000}, shift));
  table.add(stack, 0, 4);
  table.close();
  REQUIRE(table.rows().size() == 2);
  for (const StackRow& row : table.rows()) {
    const auto frames = table.frames().subspan(row.first, row.frames);
    CHECK(frames[0] == (row.count == 3 ? 0x1010 + shift : 0x1010));
    CHECK(frames[1] == 0x5000);
  }
}

TEST_CASE("no sample vanishes from a table that is full") {
  Budget budget(std::size_t{1} << 16U);
  StackTable table(budget);
  constexpr std::int64_t samples = 20'000;
  for (std::uint64_t i = 0; i < samples; ++i) table.add(std::vector<std::uint64_t>{i, 7 * i}, 0, 1);
  table.close();
  std::int64_t kept = 0;
  for (const StackRow& row : table.rows()) kept += row.count;
  CHECK(table.lost() > 0);
  CHECK(kept + table.lost() == samples);
  CHECK(budget.left() > 0);
}

TEST_CASE("threads that add at the same time lose nothing") {
  Budget budget(std::size_t{16} << 20U);
  StackTable table(budget);
  constexpr int threads = 4;
  constexpr int each = 20'000;
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread) {
    running.emplace_back([&] {
      for (std::uint64_t i = 0; i < each; ++i) {
        table.add(std::vector<std::uint64_t>{i % 50, 1}, 0, 1);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  table.close();
  CHECK(table.rows().size() == 50);
  for (const StackRow& row : table.rows()) CHECK(row.count == threads * each / 50);
}

TEST_CASE("frame pointers are followed within the stack only") {
  // Two frames: each has the address of the next, then a return address.
  std::vector<std::uint64_t> stack(8);
  const auto at = [&](std::size_t i) { return reinterpret_cast<std::uint64_t>(&stack[i]); };
  stack[0] = at(4);
  stack[1] = 1001;
  stack[4] = 5;  // leads nowhere
  stack[5] = 2001;
  const AddressRange whole{at(0), at(0) + 8 * sizeof(std::uint64_t)};
  std::vector<std::uint64_t> frames(10);
  REQUIRE(StackWalk::by_frame_pointers(at(0), whole, frames) == 2);
  CHECK(frames[0] == 1000);
  CHECK(frames[1] == 2000);
  stack[0] = at(0);  // a circle
  CHECK(StackWalk::by_frame_pointers(at(0), whole, frames) == 1);
  CHECK(StackWalk::by_frame_pointers(17, whole, frames) == 0);
  CHECK(StackWalk::by_frame_pointers(whole.end - 8, whole, frames) == 0);
}

namespace {

std::vector<std::uint64_t> walked;  // NOLINT: a handler has no other place

void walk_here(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const StackWalk walk(context);
  walked.assign(walk.frames().begin(), walk.frames().end());
}

__attribute__((noinline)) int raise_within() {
  const int failed = std::raise(SIGUSR2);
  return failed + 1;
}

}  // namespace

TEST_CASE("the walk begins at the interrupted instruction and passes its callers") {
  walked.reserve(StackWalk::most_frames);
  struct sigaction action {};
  struct sigaction before {};
  action.sa_sigaction = walk_here;
  action.sa_flags = SA_SIGINFO;
  REQUIRE(::sigaction(SIGUSR2, &action, &before) == 0);
  CHECK(raise_within() == 1);
  ::sigaction(SIGUSR2, &before, nullptr);
  const auto begin = reinterpret_cast<std::uint64_t>(&raise_within);
  constexpr std::uint64_t size = 64;  // of that function, at most
  const auto is_in_it = [&](std::uint64_t address) { return address - begin < size; };
  CHECK(walked.size() > 3);
  CHECK(std::ranges::count_if(walked, is_in_it) == 1);
  CHECK_FALSE(is_in_it(walked.front()));  // in raise(3)
}

}  // namespace hockney::profile
