#include "driver/config_list.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/cli/command_line.hpp"
#include "core/cli/standard_output.hpp"
#include "core/text.hpp"
#include "driver/campaign/config_sources.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "report/screen.hpp"

namespace hockney::driver {
namespace {

/// Prints summaries beside the other columns if the terminal has room for half a line there, else
/// below them. Without a terminal each config is one line.
void print_configs(std::ostream& out, const std::vector<std::vector<std::string>>& rows,
                   const std::vector<std::string>& summaries) {
  const report::Lines heads = report::columns_of(rows);
  const std::size_t place = std::ranges::max(heads, {}, &std::string::size).size() + 2;
  const std::size_t columns = output_columns().value_or(std::string::npos);
  const bool is_beside = columns > 2 * place;
  const std::size_t indent = is_beside ? place : 4;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    std::string before = heads[i];
    if (!is_beside) out << std::exchange(before, "") << '\n';
    if (summaries[i].empty() && is_beside) out << before << '\n';
    if (summaries[i].empty()) continue;
    for (const std::string& line : wrapped(summaries[i], columns - indent)) {
      out << before << std::string(indent - before.size(), ' ') << line << '\n';
      before.clear();
    }
  }
}

/// The launcher of this machine's programs; nullopt without one.
std::optional<campaign::Launcher> launcher_here(
    const std::vector<std::string>& executable_folders) {
  try {
    const std::string program = campaign::find_program("hockney-pingpong", "", executable_folders);
    return campaign::find_launcher({}, program, campaign::search_folders(),
                                   campaign::probe_version);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// What people come for: without other libraries' configs and experiments.
bool is_usual(const campaign::NamedConfig& named,
              const std::optional<campaign::Launcher>& launcher) {
  if (!named.config) return true;
  const auto& library = named.config->required_library;
  const bool is_here =
      !library || !launcher || belongs_to(*library, launcher->kind, launcher->programs);
  return is_here && !named.config->is_experiment;
}

/// "measured", "every night" and "settings compared", in this order.
std::string_view group_of(const campaign::NamedConfig& named) {
  if (named.name.starts_with("nightly")) return "every night";
  return named.config && named.config->sweep ? "settings compared" : "measured";
}

/// By group, then the shortest first.
bool comes_first(const campaign::NamedConfig& a, const campaign::NamedConfig& b) {
  const auto place = [](const campaign::NamedConfig& named) {
    constexpr Seconds unknown{1e9};
    const bool has_budget = named.config && named.config->budget;
    return std::tuple(named.config && named.config->sweep, named.name.starts_with("nightly"),
                      has_budget ? *named.config->budget : unknown, named.name);
  };
  return place(a) < place(b);
}

/// Rows of configs with their summaries.
struct ConfigList {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> summaries;

  void add(std::vector<std::string> row, std::string summary) {
    rows.push_back(std::move(row));
    summaries.push_back(std::move(summary));
  }

  void add_config(const campaign::NamedConfig& named, bool names_library) {
    if (!named.config) {
      return add({escaped(named.name), "-"}, "not readable: " + escaped(named.problem));
    }
    add({escaped(named.name), expected_length(*named.config)}, summary_of(*named.config));
    if (!names_library) return;
    const auto& library = named.config->required_library;
    rows.back().push_back(library ? std::string(title(*library)) : "any MPI");
  }
};

ConfigList all_configs(std::span<const campaign::NamedConfig> configs) {
  ConfigList list;
  list.add({"config", "time", "for"}, "what it measures");
  for (const campaign::NamedConfig& named : configs) list.add_config(named, true);
  return list;
}

ConfigList usual_configs(std::vector<campaign::NamedConfig> configs) {
  std::ranges::sort(configs, comes_first);
  ConfigList list;
  list.add({"config", "time"}, "what it measures");
  std::string_view group;
  for (const campaign::NamedConfig& named : configs) {
    if (std::exchange(group, group_of(named)) != group_of(named)) {
      list.add({fmt::format("{}:", group)}, "");
    }
    list.add_config(named, false);
  }
  return list;
}

}  // namespace

ExitCode list_configs(const std::string& which,
                      const std::vector<std::string>& executable_folders) {
  const bool all = which == "all";
  if (!all && !which.empty()) {
    throw InputError({fmt::format("'{}' beside --list", which), "configs are listed as a whole",
                      "use --list, or --list all"});
  }
  std::vector<campaign::NamedConfig> configs = campaign::named_configs(campaign::config_folders());
  std::string last =
      "any operation: hockney run allreduce, osu_bw, IMB-MPI1 Allreduce; all: hockney-pingpong "
      "--list";
  if (!all) {
    const auto launcher = launcher_here(executable_folders);
    const std::size_t others =
        std::erase_if(configs, [&](const auto& named) { return !is_usual(named, launcher); });
    last += fmt::format("; {} configs of other MPI libraries and experiments: --list all", others);
  }
  const ConfigList list = all ? all_configs(configs) : usual_configs(configs);
  print_configs(std::cout, list.rows, list.summaries);
  for (const std::string& line : wrapped(last, output_columns().value_or(std::string::npos))) {
    std::cout << line << '\n';
  }
  return ExitCode::good;
}

}  // namespace hockney::driver
