// A program that keeps to the conventions of the suite's MPI executables without MPI: it journals
// for --duration seconds, writes its record and ends; or misbehaves as --behaviour says.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/algorithm_use.hpp"
#include "core/atomic_file.hpp"
#include "core/point_choice.hpp"
#include "core/record_file.hpp"
#include "core/settings.hpp"
#include "core/text.hpp"

namespace {

using namespace hockney;

/// Every option takes a value; those that are missing read as empty.
class Options {
 public:
  Options(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) values_[argv[i]] = argv[i + 1];
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
  }
  [[nodiscard]] double number(const std::string& name, double otherwise) const {
    return text(name).empty() ? otherwise : std::stod(text(name));
  }

 private:
  std::map<std::string, std::string> values_;
};

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// A process in a session of its own, as a launcher's ranks are in groups of their own.
void leave_stray() {
  if (::fork() != 0) return;
  ::setsid();
  sleep_for(600);
  ::_exit(0);
}

/// A library with a number that has a maximum and with named algorithms, of which it takes what it
/// knows and complains about nothing.
std::vector<ControlVariable> mock_library() {
  const char* eager = std::getenv("OMPI_MCA_mock_eager");
  const auto requested = requested_number(eager == nullptr ? "4096" : eager);
  const bool taken = requested && *requested >= 0 && *requested <= 65536;
  const char* algorithm = std::getenv("OMPI_MCA_mock_algorithm");
  const std::vector<PermittedValue> choices{{"ignore", 0}, {"linear", 1}, {"ring", 2}, {"tree", 3}};
  const auto chosen =
      std::ranges::find(choices, algorithm == nullptr ? "" : algorithm, &PermittedValue::name);
  const auto number = chosen == choices.end() ? 0 : chosen->number.value_or(0);
  return {{.name = "mock_eager", .type = "int", .value = std::to_string(taken ? *requested : 4096)},
          {.name = "mock_algorithm",
           .type = "int",
           .value = std::to_string(number),
           .choices = choices}};
}

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) variables[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return variables;
}

/// "eager=8192,algorithm=ring"
std::map<std::string, std::string> axes_of(const std::string& text) {
  std::map<std::string, std::string> axes;
  for (const std::string& part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    if (equals != std::string::npos) axes[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return axes;
}

/// hockney-settings of the mock library.
int show_settings(const Options& options) {
  write_atomically(options.text("--output"), to_json(mock_library()).dump());
  return 0;
}

std::string operation_of(const Options& options) {
  const std::string operation = options.text("--operation");
  return operation.empty() ? "mock" : operation;
}

/// hockney-algorithms of a library that sends one message from rank 0 to rank 1, whatever it is
/// asked for, but ends the launch in the first call when it is asked for "crash", and tells nothing
/// at all when it is asked for "silence".
int verification(const Options& options) {
  constexpr const char* variable = "OMPI_MCA_coll_tuned_bcast_algorithm";
  const char* requested = std::getenv(variable);
  const std::string value = requested == nullptr ? "" : requested;
  if (value == "silence") return std::cerr << "nothing to say\n", 0;
  VerificationRun verification{.library = "Mock MPI", .counting = "the mock"};
  if (requested != nullptr) verification.requested = {{variable, value, value}};
  for (const std::int64_t bytes : {8, 16}) {
    verification.points.push_back(
        {.point = {.operation = operation_of(options), .bytes = {bytes}, .ranks = 2}});
  }
  std::ofstream out(options.text("--output"));
  out << verification_header(verification);
  for (auto point = std::stoul("0" + options.text("--skip")); point < 2; ++point) {
    out << verification_begun(point) << std::flush;
    if (value == "crash" && point == 0) {
      std::cerr << "BCAST: algo #6 has fallback\n";
      std::raise(SIGKILL);
    }
    out << verification_done(point, "", {{0, 1, 1, verification.points[point].point.bytes.value}});
  }
  return 0;
}

Record make_record(const Options& options) {
  Record record;
  record.procedure = "mock";
  record.started_utc = "2026-01-01T00:00:00Z";
  record.seed = std::stoull("0" + options.text("--seed"));
  record.campaign = {.name = options.text("--campaign"),
                     .setting = options.text("--setting"),
                     .launch = std::stoi("0" + options.text("--launch")),
                     .axes = axes_of(options.text("--axes"))};
  record.provenance.mpi.requested = prove_all(environment(), mock_library());
  record.points = {{.point = {.operation = operation_of(options), .bytes = {8}, .ranks = 2}}};
  return record;
}

/// Five visits of one sample each.
void measure(Record& record, const std::string& file, double duration, double sample) {
  Journal journal(file, record);
  SampleStore store(record.points);
  for (int visit = 0; visit < 5; ++visit) {
    sleep_for(duration / 5);
    const MeasurementBlock result{.point = 0, .batch = 1, .samples_seconds = {sample}, .flags = {}};
    store.add(result);
    journal.append(result);
  }
  record.series = store.series();
  record.measuring_seconds = duration;
  save_record(record, file);
  journal.discard();
}

/// Dies at points of 64 bytes, or of that and more.
int measure_crashing(const Options& options, Record& record, bool all_larger) {
  const std::string left_out = options.text("--leave-out");
  std::vector<PointChoice> choices;
  if (!left_out.empty()) choices = parse_point_choices(left_out);
  record.points = {};
  for (const std::int64_t bytes : {8, 64, 512}) {
    PlannedPoint& planned = record.points.own().emplace_back();
    planned.point = {.operation = "mock", .bytes = {bytes}, .ranks = 2};
    for (const PointChoice& choice : choices) {
      if (!choice.names(planned.point)) continue;
      planned.status = PointStatus::skipped;
      planned.reason = choice.reason;
    }
  }
  Journal journal(options.text("--output"), record);
  SampleStore store(record.points);
  for (std::size_t i = 0; i < record.points.size(); ++i) {
    const PlannedPoint& planned = record.points[i];
    if (planned.status == PointStatus::skipped) continue;
    journal.begin(i);
    const std::int64_t bytes = planned.point.bytes.value;
    if (bytes == 64 || (all_larger && bytes > 64)) std::raise(SIGKILL);
    const MeasurementBlock block{.point = i, .batch = 1, .samples_seconds = {1e-6}, .flags = {}};
    store.add(block);
    journal.append(block);
  }
  record.series = store.series();
  record.points = store.points("");
  record.measuring_seconds = 1;
  save_record(record, options.text("--output"));
  journal.discard();
  return 0;
}

[[noreturn]] void hang() {
  for (;;) sleep_for(600);
}

bool misbehaves(const Options& options) {
  const std::string launch = options.text("--on-launch");
  const std::string cure = options.text("--until-file");
  return (launch.empty() || launch == options.text("--launch")) &&
         (cure.empty() || !std::filesystem::exists(cure));
}

int behave(const Options& options) {
  const std::string file = options.text("--output");
  const std::string behaviour = misbehaves(options) ? options.text("--behaviour") : "";
  Record record = make_record(options);
  if (behaviour == "stubborn") std::signal(SIGTERM, SIG_IGN);
  if (behaviour == "stray") leave_stray();
  if (behaviour == "refuse")
    return std::cerr << "unknown option '--mock' (it is none) see --help\n", 2;
  if (behaviour == "fail") return std::cerr << "mock failure\n", 7;
  if (behaviour == "silent") return 0;
  if (behaviour == "crash") std::raise(SIGKILL);
  if (behaviour == "deadly-point") return measure_crashing(options, record, false);
  if (behaviour == "deadly-curve") return measure_crashing(options, record, true);
  if (behaviour == "garbage") return std::ofstream(file) << "{ \"schema\"", 0;
  if (behaviour == "hang" || behaviour == "stubborn") {
    Journal(file, record).append({.point = 0, .batch = 1, .samples_seconds = {1}, .flags = {}});
    std::cout << "hanging" << std::endl;
    hang();
  }
  if (behaviour == "no-memory")
    std::cerr << "there is not enough space for /dev/shm/mock (the shared-memory backing file)\n";
  if (behaviour == "unfinished") record.status = LaunchStatus::interrupted;
  // Unless told otherwise, samples tell which launch they belong to.
  const double sample =
      options.number("--sample", 1e-6 * static_cast<double>(record.seed % 1000 + 1));
  measure(record, file, options.number("--budget", options.number("--duration", 0)), sample);
  return behaviour == "late-failure" ? 9 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name(argv[0]);
  const Options options(argc, argv);
  if (name.ends_with("hockney-settings")) return show_settings(options);
  return name.ends_with("hockney-algorithms") ? verification(options) : behave(options);
}
