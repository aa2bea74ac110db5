#include <catch2/catch.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/record_file.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/mpi_stack.hpp"
#include "report/curve_tables.hpp"
#include "tests/driver/campaign/campaign_fixture.hpp"
#include "tests/driver/campaign/processes.hpp"
#include "verdicts/compare_axis.hpp"
#include "verdicts/tables/axis_table.hpp"

// A sweep from its config to its table, with the driver killed again and again on the way.
namespace hockney::campaign {

using Json = nlohmann::json;

namespace {

constexpr std::size_t settings = 4 * 4 * 2 - 2;
constexpr int launches = 6;

/// A value of the eager limit under which the mock program takes so long.
Json eager_value(const std::string& bytes, const std::string& seconds) {
  return {{"name", bytes}, {"value", bytes}, {"arguments", {"--sample", seconds}}};
}

/// 4 eager limits, 4 algorithms that the library is asked for, 2 windows; 2 combinations skipped.
Json sweep_config(const std::string& program) {
  return {{"schema", "hockney.campaign/1"},
          {"name", "sweep"},
          {"program", program},
          {"arguments", {"--sample", "1e-6"}},
          {"launches", launches},
          {"launcher", {{"command", HOCKNEY_MOCK_MPIRUN}}},
          {"axes",
           {{{"name", "eager"},
             {"variable", "OMPI_MCA_mock_eager"},
             {"values",
              {nullptr, eager_value("8192", "2e-6"), eager_value("16384", "4e-6"),
               eager_value("32768", "8e-6")}}},
            {{"name", "algorithm"}, {"variable", "OMPI_MCA_mock_algorithm"}, {"values", "ask"}},
            {{"name", "window"},
             {"values",
              {{{"name", "1"}, {"arguments", {"--window", "1"}}},
               {{"name", "2"}, {"arguments", {"--window", "2"}}}}}}}},
          {"conditions",
           {{{"when", {{"eager", {"32768"}}, {"algorithm", {"tree"}}}},
             {"because", "trees have short messages"}}}}};
}

/// The program and, beside it, the one that knows the library's settings.
class Programs {
 public:
  Programs() {
    for (const char* name : {"program", "hockney-settings"}) {
      std::filesystem::create_symlink(HOCKNEY_MOCK_LAUNCH, folder_.path() + "/" + name);
    }
    config_ = folder_.write("sweep.json", sweep_config(program()).dump());
  }
  [[nodiscard]] std::string program() const { return folder_.path() + "/program"; }
  [[nodiscard]] const std::string& config() const { return config_; }
  [[nodiscard]] Folder out() const { return campaign_folder(folder_.path() + "/out"); }
  void rewrite(const Json& patch) const {
    Json config = sweep_config(program());
    config.merge_patch(patch);
    write_atomically(config_, config.dump());
  }
  [[nodiscard]] pid_t start(bool resume) const {
    std::vector<std::string> words{HOCKNEY_MOCK_DRIVER, config_, out().root.string()};
    if (resume) words.emplace_back("--resume");
    return start_program(words, log());
  }
  [[nodiscard]] std::string log() const { return folder_.path() + "/driver.log"; }

 private:
  TemporaryFolder folder_;
  std::string config_;
};

std::map<std::string, std::string> records_in(const Folder& folder) {
  std::map<std::string, std::string> contents;
  if (!std::filesystem::exists(folder.records())) return contents;
  for (const std::string& name : files_in(folder.records())) {
    if (name.ends_with(".json")) contents[name] = read_file(folder.records() + "/" + name);
  }
  return contents;
}

/// Kills the driver `rounds` times, each time when there are a few records more.
void kill_again_and_again(const Programs& programs, int rounds) {
  std::mt19937 random(20261121);  // NOLINT: a fixed seed makes the test repeatable
  std::map<std::string, std::string> known;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const std::size_t enough = known.size() + random() % 15;
    const pid_t driver = programs.start(round > 0);
    CHECK(comes_true([&] { return records_in(programs.out()).size() >= enough; }));
    ::kill(driver, SIGKILL);
    wait_for(driver);
    CHECK(comes_true([&] { return !is_running(programs.out().records()); }));
    const auto now = records_in(programs.out());
    for (const auto& [name, content] : known) CHECK(now.at(name) == content);
    known = now;
  }
  CHECK(known.size() < settings * launches);
}

void check_table(const report::AxisTable& table) {
  CHECK(table.base == "default");
  CHECK(table.settings_alone == 0);
  REQUIRE(table.blocks.size() == 8);
  for (const report::AxisBlock& block : table.blocks) {
    const bool trees = block.others.at("algorithm") == "tree";
    REQUIRE(block.rows.size() == (trees ? 3 : 4));
    double truth = 1;
    for (const report::AxisRow& row : block.rows) {
      CAPTURE(row.value);
      CHECK(row.row.launches.size() == launches);
      REQUIRE(row.row.interval_seconds);
      CHECK(*row.row.median_seconds == Approx(truth * 1e-6));
      CHECK(row.row.interval_seconds->low == Approx(truth * 1e-6));
      CHECK(row.ratio.has_value() == (truth > 1));
      if (row.ratio) CHECK(*row.ratio == Approx(truth));
      if (row.ratio) CHECK(row.ratio_interval->high == Approx(truth));
      truth *= 2;
    }
  }
}

}  // namespace

TEST_CASE("a sweep that is killed again and again loses nothing and ends in a table by axis") {
  const Programs programs;
  kill_again_and_again(programs, 8);
  CHECK(wait_for(programs.start(true)) == 0);
  const Manifest manifest = load_manifest(programs.out().manifest());
  CHECK(manifest.status == Status::complete);
  CHECK(manifest.config.settings.size() == settings);
  CHECK(manifest.skipped ==
        std::vector<SkippedCombination>{
            {"eager=32768,algorithm=tree,window=1", "trees have short messages"},
            {"eager=32768,algorithm=tree,window=2", "trees have short messages"}});
  const auto records = load_records({programs.out().records()});
  CHECK(records.size() == settings * launches);
  CHECK(verdicts::axes_of(records) == std::vector<std::string>{"algorithm", "eager", "window"});
  check_table(report::by_axis(records, "eager"));
  for (const Record& record : records) {
    for (const RequestedSetting& setting : record.provenance.mpi.requested) {
      if (setting.variable.starts_with("OMPI_MCA_mock")) CHECK(setting.proof == Proof::proven);
    }
  }
}

TEST_CASE("a sweep is resumed only with the axes it was begun with, and is not asked again") {
  const Programs programs;
  programs.rewrite({{"launches", 1}});
  CHECK(wait_for(programs.start(false)) == 0);
  std::filesystem::remove(programs.out().record("eager=8192,algorithm=ring,window=1-001"));
  // What would answer is gone, so only the manifest can tell.
  std::filesystem::remove(std::filesystem::path(programs.program()).parent_path() /
                          "hockney-settings");
  CHECK(wait_for(programs.start(true)) == 0);
  CHECK(records_in(programs.out()).size() == settings);
  programs.rewrite({{"launches", 1}, {"sweep", "one-at-a-time"}});
  CHECK(wait_for(programs.start(true)) == 2);
  CHECK_THAT(read_file(programs.log()), Catch::Contains("'sweep' differs"));
}

TEST_CASE("the config of a sweep's manifest is a config that repeats it") {
  const Programs programs;
  programs.rewrite({{"launches", 1}, {"sweep", {{"random", 5}}}});
  CHECK(wait_for(programs.start(false)) == 0);
  const Manifest manifest = load_manifest(programs.out().manifest());
  REQUIRE(manifest.config.settings.size() == 5);
  CHECK(manifest.config.settings.front().axes.at("eager") == "default");
  const Config again = read_config(parse_json(to_json(manifest.config).dump(), "c.json"));
  CHECK(is_expanded(again));
  CHECK(again.settings == manifest.config.settings);
}

}  // namespace hockney::campaign
