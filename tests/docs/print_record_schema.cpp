// Prints the JSON schema of records, which generated.py puts into results.

#include <iostream>

#include "core/json_schema.hpp"
#include "core/record_fields.hpp"

int main() {
  std::cout << hockney::document_schema<hockney::Record>().dump() << '\n';
  return 0;
}
