#include <nlohmann/json.hpp>

#include "core/record_file.hpp"
#include "tests/driver/bad_input.hpp"
#include "tests/support/guideline_launches.hpp"
#include "tests/support/temporary_folder.hpp"

// `hockney guidelines` as users run it.
namespace hockney::driver {
namespace {

/// A campaign whose slow operation takes so many times as long at 1, 2, ... bytes.
class JudgedCampaign {
 public:
  explicit JudgedCampaign(const std::vector<double>& ratios, int launches = 12) {
    std::filesystem::create_directories(path("records"));
    for (const Record& record : exact_launches(ratios, launches)) {
      save_record(record, path("records/" + std::to_string(record.campaign->launch) + ".json"));
    }
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return folder_.path() + "/" + name;
  }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  [[nodiscard]] CommandResult judge(const Arguments& more = {}) const {
    return run_command(with({built("hockney"), "guidelines", path("records")}, more));
  }

 private:
  TemporaryFolder folder_;
};

std::string baseline(const std::string& known) {
  return R"({"schema": "hockney.guidelines-baseline/1", "known": [)" + known + "]}";
}

}  // namespace

TEST_CASE("guidelines that are violated end in 1, others in 0") {
  const CommandResult good = JudgedCampaign({1, 0.5}).judge();
  CHECK(good.exit_code == 0);
  CHECK_THAT(good.out, Catch::Contains("0 of 2 cases violated, 2 satisfied"));
  const CommandResult bad = JudgedCampaign({1, 2}).judge();
  CHECK(bad.exit_code == verdict_failed);
  CHECK(bad.err.empty());
  CHECK_THAT(bad.out, Catch::Contains("  2.0 x (2.0 .. 2.0)  slow > fast                     2\n"));
  CHECK(JudgedCampaign({1, 2}).judge({"--delta", "150%"}).exit_code == 0);
}

TEST_CASE("the worst violation stands first, and a quiet screen names it") {
  const JudgedCampaign campaign({1, 1.2, 8.3, 1.2});
  CHECK_THAT(campaign.judge().out,
             Catch::Contains("  8.3 x (8.3 .. 8.3)  slow > fast                     3   and 2 more "
                             "sizes in 2 .. 4, up to 1.2 x\n"));
  CHECK_THAT(campaign.judge({"-q"}).out,
             Catch::StartsWith("3 of 4 cases violated") &&
                 Catch::Contains("; worst: slow > fast at 3, 8.3 x (8.3 .. 8.3)\n"));
  CHECK_THAT(campaign.judge({"--all"}).out,
             Catch::Contains("violations, the worst first\n  slow at 3,"));
}

TEST_CASE("violations in the baseline are no failure") {
  const JudgedCampaign campaign({2, 2});
  const std::string both = campaign.write("both", baseline(R"({"guideline": "slow <= fast"})"));
  const std::string one =
      campaign.write("one", baseline(R"({"guideline": "slow <= fast", "bytes": 1})"));
  CHECK(campaign.judge({"--baseline", both}).exit_code == 0);
  CHECK_THAT(campaign.judge({"--baseline", both, "--all"}).out, Catch::Contains("k2.00"));
  CHECK(campaign.judge({"--baseline", one}).exit_code == verdict_failed);
}

TEST_CASE("guidelines refuses records without guidelines, and baselines that do not fit") {
  const JudgedCampaign campaign({1});
  const std::string records = campaign.path("records");
  const JudgedCampaign none({1}, 1);
  Record without = exact_launches({1}, 1).front();
  without.guidelines.clear();
  const std::string plain = none.path("plain.json");
  save_record(without, plain);
  const std::string unknown =
      campaign.write("unknown", baseline(R"({"guideline": "slow <= fats"})"));
  const std::string other = campaign.write("other", R"({"schema": "x", "known": []})");
  check_refusals({built("hockney"), "guidelines"},
                 {{{plain}, "no guideline is stated in 1 records"},
                  {{records, "--baseline", unknown}, "did you mean 'slow <= fast'?"},
                  {{records, "--baseline", other}, "hockney.guidelines-baseline/1"},
                  {{records, "--baseline", "nowhere"}, "nowhere"}});
}

}  // namespace hockney::driver
