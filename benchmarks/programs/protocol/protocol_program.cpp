// hockney-protocol: eager limits to the byte, unexpected messages, and the memory they cost. Exit
// code 1 when findings contradict each other.

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "benchmarks/programs/launch/launch.hpp"
#include "benchmarks/programs/launch/program.hpp"
#include "benchmarks/programs/protocol/protocol_launch.hpp"
#include "core/cli/cli11.hpp"
#include "core/json_values.hpp"
#include "core/record_file.hpp"
#include "report/protocol_table.hpp"
#include "report/record_tables.hpp"

namespace hockney::benchmarks::programs {
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
    for (const std::string& line : report::protocol_answer({&*record, 1}))
      std::cout << line << '\n';
    std::cout << '\n';
    report::print_record_tables(std::cout, {&*record, 1}, {});
  }
  return judge(*record);
}

constexpr const char* description =
    "Eager limits to the byte, unexpected messages, and the memory they cost";

int run(int argc, char** argv) {
  CLI::App app(description);
  ProtocolOptions options;
  add_protocol_options(app, options);
  const auto prepare = [&] {
    check_protocol_options(options);
    return false;
  };
  std::optional<Record> record;
  return run_mpi_program(app,
                         {.prepare = prepare,
                          .run = [&] { return launch(options, record); },
                          .keep = [&] { return place_of(record, options.launch.output); },
                          .watches_transport = true,
                          .limit = [&] { return protocol_limit(options.launch); }},
                         argc, argv);
}

}  // namespace

NamedProgram protocol_program() { return {"protocol", description, run}; }

}  // namespace hockney::benchmarks::programs
