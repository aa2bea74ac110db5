// Are the records of a campaign as they should be under one MPI library?
//   stack_records LIBRARY RANKS FILES...
// prints the library's own words; or what is wrong, one line each, and then its exit code is 1.

#include <exception>
#include <iostream>

#include "core/record_file.hpp"
#include "tests/stacks/record_checks.hpp"
#include "tests/support/record_schema.hpp"

namespace {

using namespace hockney;

bool is_as_expected(const std::string& file, const stacks::Expected& expected,
                    const RecordSchema& schema) {
  std::vector<std::string> complaints = complaints_of(load_record(file), expected);
  if (!schema.accepts(load_json(file).json())) complaints.emplace_back("the schema rejects it");
  for (const std::string& complaint : complaints) std::cout << file << ": " << complaint << '\n';
  return complaints.empty();
}

int check(const std::vector<std::string>& arguments) {
  const stacks::Expected expected{.library = arguments.at(0),
                                  .ranks = std::stoul(arguments.at(1)),
                                  .bound = !arguments.at(0).starts_with("SMPI")};
  const RecordSchema schema(
      load_json(HOCKNEY_SOURCE_DIR "/results/hockney.record-2.schema.json").json());
  bool good = true;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    good = is_as_expected(arguments[i], expected, schema) && good;
  }
  if (!good) return 1;
  std::cout << stacks::with_single_spaces(load_record(arguments.at(2)).provenance.mpi.library)
            << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return check({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cout << "stack_records: " << error.what() << '\n';
    return 1;
  }
}
