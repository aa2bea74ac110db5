#include "benchmarks/protocol/protocol_program.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

#include "benchmarks/launch/launch.hpp"
#include "benchmarks/launch/mpi_program.hpp"
#include "benchmarks/protocol/protocol_launch.hpp"
#include "benchmarks/protocol/protocol_parser.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "core/record_flags.hpp"
#include "report/record_tables.hpp"

namespace hockney {
namespace {

/// Wrong data are a failure of the run, findings that contradict each other a verdict. What the
/// library states may be about a path that is not in use.
ExitCode judge(const Record& record) {
  ExitCode code = ExitCode::good;
  for (const Protocol& protocol : record.protocols) {
    for (const std::string& flag : protocol.flags) {
      if (flag == corrupt_flag) return ExitCode::run_failed;
      if (flag != limit_differs_flag) code = ExitCode::verdict_failed;
    }
  }
  return code;
}

/// Leaves the record of rank 0 in `record`.
ExitCode launch(const ProtocolOptions& options, std::optional<Record>& record) {
  record = run_protocol(MPI_COMM_WORLD, options);
  if (!record) return ExitCode::good;
  if (options.launch.json) {
    std::cout << json_text(to_json(*record)) << '\n';
  } else {
    print_record_tables(std::cout, {&*record, 1}, {});
  }
  return judge(*record);
}

}  // namespace

int run_protocol_program(int argc, char** argv) {
  CLI::App app("Eager limits to the byte, unexpected messages, and the memory they cost",
               "hockney-protocol");
  ProtocolOptionParser parser(app);
  ProtocolOptions options;
  const auto prepare = [&] {
    options = parser.options();
    return false;
  };
  std::optional<Record> record;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(options, record); },
                          .keep = [&] { return place_of(record, options.launch.output); }},
                         argc, argv);
}

}  // namespace hockney
