#include <catch2/catch.hpp>

#include "benchmarks/harness/environment.hpp"

namespace hockney::benchmarks {
namespace {

TEST_CASE("the library names itself, its standard and its settings") {
  const MpiLibrary library = describe_mpi();
  CHECK(library.library == mpi_library());
  CHECK_FALSE(library.library.empty());
  CHECK(library.library.find('\n') == std::string::npos);
  CHECK(library.standard >= "3.1");
  CHECK(library.settings.size() > 10);  // every library with MPI_T has dozens
}

TEST_CASE("describing twice gives the same answer") {
  const MpiLibrary first = describe_mpi();
  const MpiLibrary second = describe_mpi();
  for (const auto& [name, value] : first.settings) {
    CAPTURE(name, value);
    REQUIRE(second.settings.contains(name));
    CHECK(second.settings.at(name) == value);
  }
  CHECK(first == second);
}

TEST_CASE("control variables have names and readable values, and choices have names") {
  int enumerated = 0;
  for (const ControlVariable& variable : control_variables()) {
    CAPTURE(variable.name);
    CHECK_FALSE(variable.name.empty());
    if (variable.choices.empty() || !variable.value) continue;
    ++enumerated;
    for (const PermittedValue& choice : variable.choices) CHECK_FALSE(choice.name.empty());
  }
  // Intel MPI enumerates none; its choices come from impi_info (settings/).
  if (mpi_library().find("Intel") == std::string::npos) CHECK(enumerated > 5);
}

TEST_CASE("the clock of a real MPI is the monotonic raw clock and moves") {
  const auto clock = make_clock();
  CHECK(clock->source() == "CLOCK_MONOTONIC_RAW");
  const Clock facts = examine(*clock);
  CHECK(facts.resolution_seconds > 0);
  CHECK(facts.cost_seconds < 1e-3);
}

}  // namespace
}  // namespace hockney::benchmarks
