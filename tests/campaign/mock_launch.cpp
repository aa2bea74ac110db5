// A program that keeps to the conventions of the suite's MPI executables without MPI: it journals
// for --duration seconds, writes its record and ends; or misbehaves as --behaviour says.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include "core/journal.hpp"
#include "core/record_file.hpp"

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

Record make_record(const Options& options) {
  Record record;
  record.procedure = "mock";
  record.started_utc = "2026-01-01T00:00:00Z";
  record.seed = std::stoull("0" + options.text("--seed"));
  record.campaign = {.name = options.text("--campaign"),
                     .setting = options.text("--setting"),
                     .launch = std::stoi("0" + options.text("--launch"))};
  record.points = {{.point = {.operation = "mock", .bytes = {8}, .ranks = 2}}};
  return record;
}

/// Five visits of one sample each.
void measure(Record& record, const std::string& file, double duration, double sample) {
  Journal journal(file, record);
  SampleStore store(record.points);
  for (int visit = 0; visit < 5; ++visit) {
    sleep_for(duration / 5);
    const Visit result{.point = 0, .batch = 1, .samples_seconds = {sample}, .flags = {}};
    store.add(result);
    journal.append(result);
  }
  record.series = store.series();
  record.measuring_seconds = duration;
  save_record(record, file);
  journal.discard();
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
  if (behaviour == "fail") return std::cerr << "mock failure\n", 7;
  if (behaviour == "silent") return 0;
  if (behaviour == "crash") std::raise(SIGKILL);
  if (behaviour == "garbage") return std::ofstream(file) << "{ \"schema\"", 0;
  if (behaviour == "hang" || behaviour == "stubborn") {
    Journal(file, record).append({.point = 0, .batch = 1, .samples_seconds = {1}, .flags = {}});
    std::cout << "hanging" << std::endl;
    hang();
  }
  if (behaviour == "unfinished") record.status = LaunchStatus::interrupted;
  // Unless told otherwise, samples tell which launch they belong to.
  const double sample =
      options.number("--sample", 1e-6 * static_cast<double>(record.seed % 1000 + 1));
  measure(record, file, options.number("--budget", options.number("--duration", 0)), sample);
  return behaviour == "late-failure" ? 9 : 0;
}

}  // namespace

int main(int argc, char** argv) { return behave(Options(argc, argv)); }
