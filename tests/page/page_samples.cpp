// Pages of records that nobody measured, and profiles of programs that never ran, for
// tests/page/check:
//   page_samples FOLDER SCRIPTS
#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "core/atomic_file.hpp"
#include "driver/page/records_page.hpp"
#include "report/page/page.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/nightly_site.hpp"
#include "tests/support/page_records.hpp"
#include "tests/support/synthetic_program.hpp"

using namespace hockney;

namespace {

const std::string hostile_text =
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> \"'`${alert(3)} \xE2\x80\xAE"
    "lmth\n& datum.value";

void write(const std::string& folder, const std::string& name, const report::PageScripts& scripts,
           std::vector<report::NamedRecords> named) {
  report::Results folders(std::move(named));
  OutputFile out(folder + "/" + name + ".html");
  write_page(out.stream(), page_of(folders), scripts);
  out.keep();
}

std::vector<Record> hostile() {
  std::vector<Record> records = ping_pongs(7, 1, hostile_text);
  const std::vector<Record> more = ping_pongs(7, 2, "default");
  records.insert(records.end(), more.begin(), more.end());
  for (Record& record : records) {
    record.campaign->name = hostile_text;
    record.provenance.mpi.library = hostile_text;
    record.provenance.hosts = {{.name = hostile_text, .cpu_model = hostile_text}};
    for (PlannedPoint& planned : record.points.own()) planned.point.hop = hostile_text;
    for (Series& series : record.series) series.point.hop = hostile_text;
  }
  return records;
}

/// 100 000 points: 1000 pairs at 100 sizes.
std::vector<Record> many_points() {
  Record record = launch_of("default");
  for (int pair = 0; pair < 1000; ++pair) {
    for (int size = 0; size < 100; ++size) {
      const auto bytes = static_cast<std::int64_t>(std::lround(std::pow(1.15, size))) + size;
      add_measured(
          record, pair_point(bytes, 0, pair + 1, pair % 2 == 0 ? "l3" : "cross-node"),
          (pair % 2 == 0 ? 1e-6 : 3e-6) + 1e-9 * pair + 1e-10 * static_cast<double>(bytes));
    }
  }
  return {record};
}

/// 12 algorithms at 10 sizes, of which another one is best at each.
std::vector<Record> many_settings() {
  std::vector<Record> records;
  for (int setting = 0; setting < 12; ++setting) {
    const std::string name = setting == 0 ? "default" : "algorithm-" + std::to_string(setting);
    for (int launch = 0; launch < 12; ++launch) {
      Record record = launch_of(name);
      record.campaign->launch = launch;
      record.campaign->axes = {{"algorithm", name}};
      for (int size = 0; size < 10; ++size) {
        Point point = simple_point("bcast", std::int64_t{8} << (2 * size));
        point.ranks = 4;
        const double factor = size % 12 == setting - 1 ? 0.6 : 1 + 0.02 * setting;
        add_measured(record, point, 1e-6 * factor * (1 + size) * (1 + 0.002 * launch));
      }
      records.push_back(std::move(record));
    }
  }
  return records;
}

/// Thirty nights, of which the last eight are slower by a tenth under another library, and a night
/// of eight hosts, one of which is slow, after them: records for `hockney health ingest`.
void write_nights(const std::string& folder) {
  constexpr int nights = 30;
  constexpr int step = 22;
  NightlySite site;
  const std::int64_t first = parse_day("2026-10-01");
  for (int night = 0; night < nights; ++night) {
    const bool is_slow = night >= step;
    site.add_night(first + night, is_slow ? 1.1 : 1,
                   is_slow ? "Open MPI v5.0.9" : "Open MPI v4.1.4");
  }
  site.add_fleet_night(first + nights, 8, {.node = 3}, 1.3);
  std::filesystem::copy(site.records(), folder, std::filesystem::copy_options::recursive);
}

/// What a run of a Poisson solver would leave: a halo on `grid`, the first quarter of the ranks
/// with two thirds more to compute, so many ranks on a node.
SyntheticProgram solver(const std::vector<int>& grid, int ranks_per_node, double seconds) {
  int ranks = 1;
  for (const int size : grid) ranks *= size;
  SyntheticProgram program(ranks, ranks_per_node);
  program.halo({.sizes = grid, .bytes = {28800, 14400}, .messages = 100});
  for (int rank = 0; rank < ranks; ++rank) {
    const double computing = seconds * (rank < ranks / 4 ? 0.75 : 0.45);
    program.time(rank, computing, seconds - computing);
  }
  const double waiting = 0.4 * seconds * ranks;
  return program.calls("MPI_Waitall", 100 * ranks, 0, waiting)
      .calls("MPI_Allreduce", 100 * ranks, 8, 0.05 * seconds * ranks)
      .calls("MPI_Irecv", 400 * ranks, 28800, 0.002 * seconds * ranks);
}

/// Six launches at each of four numbers of ranks, of which more compute less and wait longer.
void write_runs(const std::string& folder) {
  for (const int ranks : {4, 8, 16, 32}) {
    for (int launch = 0; launch < 8; ++launch) {
      const double noise = 1 + 0.004 * launch;
      const double computing = 64.0 / ranks * noise;
      const double mpi = (0.6 + 0.02 * ranks) * noise;
      SyntheticProgram program(ranks, 4);
      program.every_time(computing, mpi);
      program.calls("MPI_Allreduce", 100, 8, ranks * (mpi - 0.5))
          .calls("MPI_Waitall", 100, 0, ranks * 0.5);
      const std::string name = std::to_string(ranks) + "-" + std::to_string(launch);
      write_atomically(folder + "/run-" + name + ".json",
                       json_text(nlohmann::json(program.profile())));
    }
  }
}

profile::Profile hostile_program() {
  return solver({2, 2}, 2, 10)
      .with([](profile::Profile& all) {
        all.provenance.command_line = {hostile_text};
        all.provenance.mpi.library = hostile_text;
        all.notes = {hostile_text};
        for (profile::Rank& rank : all.ranks) rank.host += hostile_text;
        for (profile::Calls& calls : all.calls) calls.call += hostile_text;
        all.sites = {{.module = hostile_text, .offset = 1, .function = hostile_text}};
      })
      .profile();
}

/// Profiles of programs that never ran, for `hockney profile show`, `compare` and `map`.
void write_programs(const std::string& folder) {
  std::filesystem::create_directories(folder);
  const auto write_profile = [&](const std::string& name, const profile::Profile& profile) {
    write_atomically(folder + "/" + name + ".json", json_text(nlohmann::json(profile)));
  };
  write_profile("solver", solver({3, 4}, 3, 12.5).profile());
  write_profile("solver-64", solver({8, 8}, 16, 12.5).profile());
  write_profile("solver-384", solver({24, 16}, 24, 12.5).profile());
  write_profile("hostile", hostile_program());
  write_runs(folder);
}

void write_all(const std::string& folder, const report::PageScripts& scripts) {
  write(folder, "hostile", scripts, {{hostile_text, hostile()}});
  write(folder, "many-points", scripts, {{"many", many_points()}});
  write(folder, "pairs-8", scripts, {{"pairs", {all_pairs(8)}}});
  write(folder, "settings", scripts, {{"settings", many_settings()}});
  write(folder, "guidelines", scripts, {{"guidelines", exact_launches({3, 1.5, 1, 0.9}, 10)}});
  write_nights(folder + "/nights");
  write_programs(folder + "/programs");
  write(folder, "folders", scripts, {{"before", ping_pongs(8)}, {"after", ping_pongs(8, 1.3)}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: page_samples FOLDER SCRIPTS\n";
    return 2;
  }
  try {
    write_all(argv[1], report::load_page_scripts(argv[2]));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
  return 0;
}
