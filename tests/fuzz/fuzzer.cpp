// The program that libFuzzer drives: HOCKNEY_FUZZ_READER names the reader it gives its bytes to.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "core/text.hpp"
#include "tests/fuzz/readers.hpp"

namespace {

using namespace hockney;

const fuzz::FuzzedReader& chosen_reader() {
  const char* const named = std::getenv("HOCKNEY_FUZZ_READER");
  const std::string name = named == nullptr ? "" : named;
  const auto found = std::ranges::find(fuzz::fuzzed_readers(), name, &fuzz::FuzzedReader::name);
  if (found != fuzz::fuzzed_readers().end()) return *found;
  std::cerr << "HOCKNEY_FUZZ_READER is '" << name << "' (it names the reader) "
            << suggest(name,
                       strings_of(fuzz::fuzzed_readers(),
                                  [](const fuzz::FuzzedReader& reader) { return reader.name; }))
            << '\n';
  std::exit(2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::FuzzedReader& reader = chosen_reader();
  reader.run({data, data + size});
  return 0;
}
