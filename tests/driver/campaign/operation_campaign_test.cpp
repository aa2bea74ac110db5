#include "driver/campaign/operation_campaign.hpp"

#include <catch2/catch.hpp>

#include "core/error.hpp"
#include "driver/campaign/config_sources.hpp"

// Campaigns of operations, by the names that hockney, OMB, IMB and MPI give them.
namespace hockney::campaign {
namespace {

using Arguments = std::vector<std::string>;

const std::vector<ListedOperation> listed{
    {"allreduce", "hockney-collectives", OperationRanks::all, "MPI_Allreduce"},
    {"bandwidth", "hockney-pingpong", OperationRanks::two, "a window"},
    {"file-write", "hockney-io", OperationRanks::all, "MPI_File_write"},
    {"iallreduce", "hockney-collectives", OperationRanks::all, "MPI_Iallreduce"},
    {"message-rate", "hockney-collectives", OperationRanks::pairs, "pairs at once"},
    {"pingpong", "hockney-pingpong", OperationRanks::two, "half a round trip"},
    {"put", "hockney-rma", OperationRanks::two, "MPI_Put"},
    {"threaded-pingpong", "hockney-threads", OperationRanks::two, "of threads"}};

OperationCampaign campaign_of(const Arguments& words, int ranks = 5) {
  OperationCampaign made = operation_campaign(words, listed, {"hops", "quick"}, ranks);
  check_config(made.config);
  return made;
}

}  // namespace

TEST_CASE("an operation is a campaign by any suite's name for it") {
  struct Same {
    Arguments words;
    std::string operations;
    std::string program;
    int ranks;
  };
  const std::vector<Same> all{
      {{"allreduce"}, "allreduce", "hockney-collectives", 5},
      {{"osu_allreduce"}, "allreduce", "hockney-collectives", 5},
      {{"/opt/omb/osu_allreduce"}, "allreduce", "hockney-collectives", 5},
      {{"MPI_Allreduce"}, "allreduce", "hockney-collectives", 5},
      {{"IMB-MPI1", "Allreduce"}, "allreduce", "hockney-collectives", 5},
      {{"./IMB-NBC", "Iallreduce"}, "iallreduce", "hockney-collectives", 5},
      {{"latency"}, "pingpong", "hockney-pingpong", 2},
      {{"osu_latency", "osu_bw"}, "pingpong,bandwidth", "hockney-pingpong", 2},
      {{"IMB-MPI1", "PingPong", "Allreduce"}, "pingpong,allreduce", "hockney-collectives", 5},
      {{"osu_mbw_mr"}, "message-rate", "hockney-collectives", 4},
      {{"osu_put_latency"}, "put", "hockney-rma", 2},
      {{"osu_put_latency", "osu_latency"}, "put,pingpong", "hockney-rma", 2},
      {{"pingpong", "pingpong"}, "pingpong", "hockney-pingpong", 2}};
  for (const Same& same : all) {
    CAPTURE(same.words);
    const Config config = campaign_of(same.words).config;
    CHECK(config.arguments == Arguments{"--operations", same.operations});
    CHECK(config.program == same.program);
    CHECK(config.ranks == same.ranks);
    CHECK(config.budget);
  }
  CHECK(campaign_of({"osu_latency", "osu_allreduce"}).config.name == "pingpong-allreduce");
}

TEST_CASE("operations of all ranks have two of them at least") {
  CHECK(campaign_of({"allreduce"}, 1).config.ranks == 2);
  CHECK(campaign_of({"message-rate"}, 1).config.ranks == 2);
}

TEST_CASE("what a suite measures differently is said, and becomes an option") {
  const OperationCampaign threads = campaign_of({"osu_latency_mt"});
  REQUIRE(threads.remarks.size() == 1);
  CHECK_THAT(threads.remarks[0], Catch::StartsWith("osu_latency_mt is threaded-pingpong: "));
  CHECK(threads.config.program == "hockney-threads");
  CHECK(campaign_of({"allreduce"}).remarks.empty());
  CHECK(campaign_of({"IMB-RMA", "Put_local"}).config.arguments ==
        Arguments{"--operations", "put", "--synchronisation", "flush-local"});
}

TEST_CASE("an unknown operation names the nearest config or operation") {
  const auto line = [](const Arguments& words) {
    try {
      campaign_of(words);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(line({"alreduce"}), Catch::StartsWith("no config or operation 'alreduce' (") &&
                                     Catch::Contains("did you mean 'allreduce'?"));
  CHECK_THAT(line({"quik"}), Catch::Contains("did you mean 'quick'?"));
  CHECK_THAT(line({"pingpong", "osu_nothing"}),
             Catch::StartsWith("no config or operation 'osu_nothing' ("));
  CHECK_THAT(line({"pingpong", "quick"}),
             Catch::StartsWith("the config 'quick' beside operations ("));
  CHECK_THAT(line({"IMB-MPI1"}), Catch::StartsWith("no operation of IMB-MPI1 is named ("));
}

}  // namespace hockney::campaign
