#include "core/settings/host_facts.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "core/settings/collective_variable.hpp"
#include "core/text.hpp"

namespace hockney {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string kernel() {
  utsname name{};
  return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release : std::string();
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace

Host read_host(const std::string& name, const std::string& topology_digest,
               const std::string& cpu_model) {
  return {
      .name = name,
      .cpu_model = cpu_model,
      .kernel = kernel(),
      .governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
      .clocksource = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
      .topology_digest = topology_digest,
      .cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)),
      .load_average = load_average()};
}

std::map<std::string, std::string> steering_environment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::string name = text.substr(0, text.find('='));
    if (steers_mpi(name)) variables[name] = text.substr(std::min(text.size(), name.size() + 1));
  }
  return variables;
}

std::vector<std::string> command_line() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  const std::string words{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::vector<std::string> split_words = split(words, '\0');
  if (!split_words.empty() && split_words.back().empty()) split_words.pop_back();
  return split_words;
}

}  // namespace hockney
