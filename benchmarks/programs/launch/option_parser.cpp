#include "benchmarks/programs/launch/option_parser.hpp"

namespace hockney {

LaunchOptionParser::LaunchOptionParser(CLI::App& app, const Program& program)
    : workload_(program), guidelines_(program), paths_(program), sampling_(program) {
  app.option_defaults()->always_capture_default();
  workload_.add_to(app);
  calls_.add_to(app);
  guidelines_.add_to(app);
  paths_.add_to(app);
  sampling_.add_to(app);
  placement_.add_to(app);
  output_.add_to(app);
  campaign_.add_to(app);
}

LaunchOptions LaunchOptionParser::options() const {
  LaunchOptions options;
  workload_.read_into(options);
  calls_.read_into(options);
  guidelines_.read_into(options);
  paths_.read_into(options);
  sampling_.read_into(options);
  placement_.read_into(options);
  output_.read_into(options);
  campaign_.read_into(options);
  return options;
}

}  // namespace hockney
