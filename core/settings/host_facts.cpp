#include "core/settings/host_facts.hpp"

#include <sys/utsname.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>

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

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Of nodes and of the systems that several of them are parts of, separated by blanks.
std::string infiniband_guids(const std::string& root) {
  std::set<std::string> guids;
  std::error_code none;
  for (const auto& device :
       std::filesystem::directory_iterator(root + "/sys/class/infiniband", none)) {
    for (const char* kind : {"node_guid", "sys_image_guid"}) {
      const std::string guid = first_line((device.path() / kind).string());
      if (!guid.empty()) guids.insert(guid);
    }
  }
  return join({guids.begin(), guids.end()}, " ");
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
      .load_average = load_average(),
      .network = read_network_facts()};
}

std::map<std::string, std::string> read_network_facts(const std::string& root) {
  std::map<std::string, std::string> facts{
      {"slurm_address", variable("SLURM_TOPOLOGY_ADDR")},
      {"slurm_pattern", variable("SLURM_TOPOLOGY_ADDR_PATTERN")},
      {"cray_name", first_line(root + "/proc/cray_xt/cname")},
      {"infiniband_guids", infiniband_guids(root)}};
  std::erase_if(facts, [](const auto& fact) { return fact.second.empty(); });
  return facts;
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
