#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/launches.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/two_sides.hpp"

// `hockney compare` as users run it.
namespace hockney::driver {
namespace {

/// A campaign of the settings a and b in `both`, and each setting in a folder of its own.
class Folders {
 public:
  explicit Folders(double ratio = 1.2, int launches = 10) {
    const TwoSides truth{.campaign = {.sizes = parse_sizes("8,1K"),
                                      .truth = {{0, 1e-6, 1e-10}},
                                      .launches = launches},
                         .ratio = ratio};
    const Sides sides = synthetic_sides(truth, 1);
    save("a", sides.a);
    save("b", sides.b);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }

  [[nodiscard]] CommandResult run(Arguments arguments) const {
    arguments.insert(arguments.begin(), {built("hockney"), "compare"});
    return run_command(arguments);
  }

 private:
  void save(const std::string& setting, const std::vector<Record>& records) const {
    for (const std::string& name : {setting, std::string("both")}) {
      std::filesystem::create_directories(path(name));
      for (const Record& record : records) {
        save_record(record, path(name) + "/" + setting + "-" +
                                std::to_string(record.campaign->launch) + ".json");
      }
    }
  }

  TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("compare prints and writes the same document") {
  const Folders folders;
  const CommandResult result =
      folders.run({folders.path("a"), folders.path("b"), "--json", "-o", folders.path("document"),
                   "--at-least", "5%", "--correction", "bh", "--alpha", "0.01"});
  CHECK(result.exit_code == 0);
  CHECK(read_file(folders.path("document")) == result.out);
  const auto document = nlohmann::json::parse(result.out);
  CHECK(document.at("a").at("source") == folders.path("a"));
  CHECK(document.at("comparisons").size() == 2);
  CHECK(document.at("family") ==
        nlohmann::json{{"size", 2}, {"correction", "bh"}, {"alpha", 0.01}, {"at_least", 0.05}});
}

TEST_CASE("compare fails on request when something is slower, and only then") {
  const Folders folders;
  const std::string a = folders.path("a");
  const std::string b = folders.path("b");
  CHECK(folders.run({a, b, "--fail-on", "slower"}).exit_code == 1);
  CHECK(folders.run({b, a, "--fail-on", "slower"}).exit_code == 0);
  CHECK(folders.run({a, b, "--fail-on", "slower", "--at-least", "50%"}).exit_code == 0);
}

TEST_CASE("compare names the points of one side, and the cause if a side has none") {
  const Folders folders;
  const TemporaryFolder other;
  Record record = launch_of("c");
  record.provenance.mpi.library = "Open MPI v4.1.4";
  add_measured(record, simple_point("pingpong", 8), 1e-6);
  add_skipped(record, simple_point("pingpong", 64), "SIGSEGV in lib.so");
  const auto save = [&](const Record& saved, const std::string& name) {
    const std::string folder = other.path() + "/" + name;
    std::filesystem::create_directories(folder);
    save_record(saved, folder + "/1.json");
    return folder;
  };
  Record whole = record;
  whole.seed = 2;
  whole.points.own().pop_back();
  add_measured(whole, simple_point("pingpong", 64), 1e-6);
  const CommandResult named = folders.run({save(whole, "whole"), save(record, "part")});
  INFO(named.out << named.err);
  CHECK(named.exit_code == 0);
  CHECK_THAT(named.out,
             Catch::Contains("only in A: pingpong ranks=2 64 (not measured: SIGSEGV in lib.so)"));
  record.series.clear();
  record.points.own().clear();
  for (const std::int64_t bytes : {8, 64}) {
    add_skipped(record, simple_point("pingpong", bytes), "the cores are busy");
  }
  const std::string none = save(record, "none");
  check_refusal({built("hockney"), "compare"},
                {{save(whole, "whole"), none}, "none has no time of 2 points: the cores are busy"});
}

TEST_CASE("compare refuses settings that a folder does not have, and a launch on both sides") {
  const Folders folders;
  const std::string a = folders.path("a");
  const std::string both = folders.path("both");
  check_refusals({built("hockney"), "compare", a}, {{{both + ":a"}, "A and B share a launch"},
                                                    {{both}, "holds the settings a, b"},
                                                    {{both + ":c"}, "unknown setting 'c'"}});
}

TEST_CASE("compare refuses sides that are no sample of one thing") {
  const Folders folders;
  const std::string file = folders.path("a") + "/other.json";
  Record other = load_record(folders.path("a") + "/a-0.json");
  const auto refuses = [&](const std::string& words) {
    save_record(other, file);
    check_refusal({built("hockney"), "compare"}, {{folders.path("a"), folders.path("b")}, words});
  };
  other.campaign->launch = 99;
  other.provenance.mpi.library = "another";
  refuses("several MPI libraries (another and synthetic)");
  other.campaign->name = "weekly";
  refuses("several campaigns (synthetic and weekly)");
}

TEST_CASE("compare needs a complete launch and a common point") {
  const Folders folders;
  Record record = load_record(folders.path("a") + "/a-0.json");
  const std::string file = folders.path("record.json");
  for (Series& series : record.series) series.point.bytes = {7};
  record.points = {};
  save_record(record, file);
  check_refusal({built("hockney"), "compare"}, {{file, folders.path("b")}, "nothing to compare"});
  record.status = LaunchStatus::failed;
  save_record(record, file);
  check_refusal({built("hockney"), "compare"},
                {{file, folders.path("b")}, "holds no complete launch"});
}

}  // namespace hockney::driver
