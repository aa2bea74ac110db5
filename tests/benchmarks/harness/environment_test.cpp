#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "benchmarks/harness/environment.hpp"

// A process that takes too long ends, whatever it is doing.
namespace hockney::benchmarks {
namespace {

/// How a process ended, and what it had printed on stderr.
struct Ended {
  int exit_code = -1;
  std::string err;
};

/// Runs `work` in a process of its own, which returns 0 if it returns.
template <class Work>
Ended run_apart(Work work) {
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    work();
    ::_exit(0);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 256> part{};
  for (ssize_t got = 0; (got = ::read(ends[0], part.data(), part.size())) > 0;) {
    ended.err.append(part.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  ended.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return ended;
}

[[noreturn]] void spin_forever() {
  for (;;) __asm__ volatile("");
}

TEST_CASE("a process that spins ends with code 3 and a line that names its point") {
  const Ended ended = run_apart([] {
    const TimeLimit limit(Seconds{0.1}, ErrorPrinter::yes, Seconds{0.2}, true);
    TimeLimit::keeps("record.json.journal");
    const CurrentPoint under_way({.operation = "bcast", .bytes = {8}, .ranks = 2});
    spin_forever();
  });
  CHECK(ended.exit_code == 3);
  CHECK(ended.err ==
        "the launch takes longer than its limit of 0.1 s (it is still at bcast ranks=2 at 8 bytes) "
        "what was measured is in 'record.json.journal'; --leave-out 'bcast ranks=2 at 8 bytes' "
        "leaves the point out\n");
}

TEST_CASE("other ranks end in silence") {
  const Ended ended = run_apart([] {
    const TimeLimit limit(Seconds{0.1}, ErrorPrinter::no, Seconds{0.2});
    ::pause();  // ends with the first signal
    ::pause();
  });
  CHECK(ended.exit_code == 3);
  CHECK(ended.err.empty());
}

TEST_CASE("what looks at the limit ends by itself, and a limit that was kept does nothing") {
  const Ended looked = run_apart([] {
    const TimeLimit limit(Seconds{0.1}, ErrorPrinter::yes);
    while (!TimeLimit::has_passed()) {
    }
    TimeLimit::spare();
    if (!TimeLimit::has_passed()) spin_forever();
  });
  CHECK(looked.exit_code == 0);
  const Ended kept = run_apart([] { const TimeLimit limit(Seconds{3600}, ErrorPrinter::yes); });
  CHECK(kept.exit_code == 0);
  const Ended longer = run_apart([] {
    const TimeLimit limit(Seconds{1e-9}, ErrorPrinter::yes);
    while (!TimeLimit::has_passed()) {
    }
    TimeLimit::restart(Seconds{3600});
    if (TimeLimit::has_passed()) spin_forever();
  });
  CHECK(longer.exit_code == 0);
}

TEST_CASE("the words of a point under way are those of the point alone, however long") {
  CHECK(current_point().empty());
  {
    const CurrentPoint under_way({.operation = std::string(1000, 'x'), .ranks = 2});
    CHECK(current_point() == std::string(512, 'x'));
  }
  CHECK(current_point().empty());
}

}  // namespace
}  // namespace hockney::benchmarks
