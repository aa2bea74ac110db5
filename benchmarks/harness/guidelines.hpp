#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/catalogue.hpp"
#include "core/guideline.hpp"

namespace hockney::benchmarks {

/// Every guideline that this program can measure: those that mock-ups state in their files, those
/// of two operations of the suite, and those of one operation with itself, in order of names.
std::vector<Guideline> guidelines();

/// Used by MockUp.
void add_guideline(const Guideline& guideline);

/// Puts a mock-up into the catalogue, and its guideline among the guidelines: a static object at
/// the end of its file. A mock-up is an operation with the name of the one whose work it does,
/// "-by-" and its way to do it; `guideline` is the name of "that one must not be slower than this
/// one".
template <class O>
class MockUp {
 public:
  MockUp() {
    const std::string_view name = O::descriptor.name;
    const std::string emulated(name.substr(0, name.find("-by-")));
    add_guideline({.name = std::string(O::guideline),
                   .left = GuidelineSide{.operation = emulated, .parameters = {}},
                   .right = GuidelineSide{.operation = std::string(name), .parameters = {}}});
  }

 private:
  Registration<O> registration_;
};

/// Used by Original.
void add_original(std::string_view operation);

/// Puts an operation into the catalogue that is there only to be compared with a mock-up; it is not
/// held against itself.
template <class O>
class Original {
 public:
  Original() { add_original(O::descriptor.name); }

 private:
  Registration<O> registration_;
};

/// Whether an operation is there to be compared with another one only.
bool is_mock_up(std::string_view operation);

/// Whether it is a mock-up, or in the catalogue for a mock-up's sake only.
bool is_for_guidelines(std::string_view operation);

}  // namespace hockney::benchmarks
