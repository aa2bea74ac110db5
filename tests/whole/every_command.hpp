#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/components/health/nights/some_records.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/synthetic_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tuned_campaign.hpp"
#include "tests/support/two_sides.hpp"

namespace hockney::driver {

/// Records for every subcommand of the driver that prints, and these with options that make them do
/// so. All of them end in 0, or in 1 for a verdict.
class EveryCommand {
 public:
  /// Spoils a record before it is saved; keeps the names of operations and algorithms when asked
  /// to.
  enum class Names { any, kept };
  using Poison = std::function<void(Record&, Names)>;
  using PoisonProfile = std::function<void(profile::Profile&)>;

  explicit EveryCommand(
      const Poison& poison = [](Record&, Names) {},
      const PoisonProfile& poison_profile = [](profile::Profile&) {})
      : poison_(poison), poison_profile_(poison_profile) {
    save_sides();
    save_all("guidelines", exact_launches({1, 2}, 12), Names::any);
    save_all("tuned",
             TunedCampaign(10)
                 .add("default", 0, {{8, 10}, {1024, 20}})
                 .add("chain", 2, {{8, 5}, {1024, 40}})
                 .records(),
             Names::kept);
    save_all("example", {example_record()}, Names::any);
    save_allreduces();
    save_nights();
    save_self_test();
    save_program("p2.json", 2);
    save_program("p4.json", 4);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  /// Where commands() write files.
  [[nodiscard]] std::string outputs() const { return path("outputs"); }
  [[nodiscard]] std::string history() const { return path("history.sqlite"); }

  [[nodiscard]] std::vector<Arguments> commands() const {
    std::filesystem::create_directories(outputs());
    std::vector<Arguments> all{
        {"topo", "--synthetic", "pack:2 core:2 pu:1"},
        {"topo", "--synthetic", "pack:2 core:2 pu:1", "--json"},
        {"report", path("sides")},
        {"report", path("example")},
        {"report", path("tuned"), "--by", "algorithm"},
        {"fit", path("sides"), "-o", out("fit.json")},
        {"fit", path("sides"), "--json"},
        {"fit", path("allreduces")},
        {"compare", path("a"), path("b"), "-o", out("compare.json")},
        {"compare", path("a"), path("b"), "--json"},
        {"compare", path("tuned"), "--by", "algorithm"},
        {"guidelines", path("guidelines"), "-o", out("g.json"), "--junit", out("g.xml")},
        {"guidelines", path("guidelines"), "--json"},
        {"predict", path("allreduces"), "--operation", "allreduce", "--algorithm", "rdb", "--ranks",
         "8,128"},
        {"predict", path("allreduces"), "--operation", "allreduce", "--algorithm", "rdb", "--ranks",
         "8", "--json"},
        {"export", "csv", path("sides"), path("example")},
        {"tune", path("tuned")},
        {"tune", path("tuned"), "--json"},
        {"tune", path("tuned"), "-o", out("rules")},
        {"self-test", path("self-test"), "--each", "6"},
        {"self-test", path("self-test"), "--each", "6", "--json"},
        {"profile", "show", path("p4.json")},
        {"profile", "show", path("p4.json"), "--all"},
        {"profile", "show", path("p4.json"), "--json"},
        {"profile", "show", path("p4.json"), "--csv", "--by", "node"},
        {"profile", "show", path("p4.json"), "--mpip"},
        {"profile", "compare", path("p2.json"), path("p4.json"), "-o", out("profiles.json")},
        {"profile", "compare", path("p2.json"), path("p4.json"), "--all"},
        {"profile", "compare", path("p2.json"), path("p4.json"), "--json"}};
    for (Arguments health : std::vector<Arguments>{
             {"ingest", path("nights")},
             {"check", "--all", "--junit", out("h.xml"), "--openmetrics", out("h.prom"), "--influx",
              out("h.influx"), "--jsonl", out("h.jsonl"), "-o", out("h.json")},
             {"check", "--json"},
             {"check", "--reason"},
             {"list", "nights"},
             {"list", "series"},
             {"list", "values"},
             {"list", "remarks"}}) {
      health.insert(health.begin(), "health");
      health.insert(health.end(), {"--history", history()});
      all.push_back(health);
    }
    for (Arguments& command : all) command.insert(command.begin(), built("hockney"));
    return all;
  }

 private:
  [[nodiscard]] std::string out(const std::string& name) const { return outputs() + "/" + name; }

  void save_all(const std::string& name, std::vector<Record> records, Names names) const {
    std::filesystem::create_directories(path(name));
    int number = 0;
    for (Record& record : records) {
      poison_(record, names);
      save_record(record, path(name) + "/" + std::to_string(number++) + ".json");
    }
  }

  void save_sides() const {
    const TwoSides truth{
        .campaign = {.sizes = parse_sizes("1:1K"), .truth = {{0, 1e-6, 1e-10}}, .launches = 10},
        .ratio = 1.2};
    const Sides sides = synthetic_sides(truth, 1);
    std::vector<Record> both = sides.a;
    both.insert(both.end(), sides.b.begin(), sides.b.end());
    save_all("a", sides.a, Names::any);
    save_all("b", sides.b, Names::any);
    save_all("sides", both, Names::any);
  }

  /// An allreduce that takes log2(p) (1 us + 1 ns/B n).
  void save_allreduces() const {
    std::vector<Record> records;
    for (const int rounds : {1, 2, 3, 4}) {
      for (int launch = 0; launch < 6; ++launch) {
        Record record = launch_of("");
        record.campaign.reset();
        for (int rank = 0; rank < 1 << rounds; ++rank) {
          record.ranks.push_back({.rank = rank, .host = "h"});
        }
        for (const std::int64_t bytes : {8, 1024, 65536}) {
          Point point = simple_point("allreduce", bytes);
          point.ranks = 1 << rounds;
          point.algorithm = "recursive_doubling";
          add_measured(record, point, rounds * (1e-6 + 1e-9 * static_cast<double>(bytes)));
        }
        records.push_back(record);
      }
    }
    save_all("allreduces", records, Names::kept);
  }

  /// Nights of which the last ones are slow, with remarks and an export of them.
  void save_nights() const {
    std::vector<Record> records;
    const std::int64_t first = parse_day("2026-09-01");
    for (int night = 0; night < 45; ++night) {
      Record record = health::nightly_launch("default", 1);
      record.started_utc = day_text(first + night) + "T03:00:00Z";
      const double wobble = 1 + 0.001 * (night * 7 % 12);
      for (const std::int64_t bytes : {8, 1024}) {
        add_measured(record, health::hop_point("pingpong", bytes),
                     1e-6 * wobble * (night > 35 ? 2 : 1));
      }
      poison_(record, Names::any);
      const std::string folder = "nights/" + day_text(first + night);
      std::filesystem::create_directories(path(folder));
      save_record(record, path(folder + "/1.json"));
    }
    const auto health = [&](Arguments words) {
      words.insert(words.begin(), {built("hockney"), "health"});
      words.insert(words.end(), {"--history", history()});
      return run_command(words);
    };
    health({"ingest", path("nights")});
    health({"note", "a \x1b[31mnote\nFORGED", "--day", "2026-10-06"});
    health(
        {"maintenance", "--from", "2026-09-02", "--to", "2026-09-02", "--why", "\xE2\x80\xAEwhy"});
  }

  void save_self_test() const {
    std::vector<Record> records;
    for (int launch = 1; launch <= 12; ++launch) {
      Record record = launch_of("default");
      record.campaign->launch = launch;
      for (const auto& [variant, slow] : {std::pair("a", 1.0), {"b", 1.0}, {"slow-10", 1.1}}) {
        Point point = simple_point("pingpong", 8);
        point.parameters["variant"] = variant;
        add_measured(record, point, slow * 1e-6 * (1 + 0.001 * (launch * 7 % 12)));
      }
      records.push_back(record);
    }
    save_all("self-test", records, Names::kept);
  }

  /// A profile of ranks on two nodes, with every text that a profile has.
  void save_program(const std::string& name, int ranks) const {
    SyntheticProgram program(ranks, ranks / 2);
    program.halo({.sizes = {ranks}, .bytes = {1000}, .messages = 10});
    program.every_time(8.0 / ranks, 1).calls("MPI_Waitall", 20, 0, ranks);
    program.with([](profile::Profile& all) {
      all.regions = {{.name = "solve", .entered = 2, .seconds = 1}};
      all.calls.front().region = 0;
      all.notes = {"a note"};
    });
    profile::Profile profile = program.profile();
    poison_profile_(profile);
    save_profile(folder_, name, profile);
  }

  TemporaryFolder folder_;
  Poison poison_;
  PoisonProfile poison_profile_;
};

}  // namespace hockney::driver
