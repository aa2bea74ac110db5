#include <catch2/catch.hpp>

#include "core/samples.hpp"

namespace hockney {
namespace {

Series series_with_probes(const std::vector<double>& controls) {
  return {
      .samples_seconds = {1, 2, 3, 4, 5, 6}, .blocks = {1, 2, 3}, .noise_probes_seconds = controls};
}

}  // namespace

TEST_CASE("visits within a tenth of the calmest control are calm") {
  CHECK(counted_blocks(series_with_probes({10, 11, 11.01})) ==
        std::vector<bool>{true, true, false});
  CHECK(counted_blocks(series_with_probes({20, 18, 10})) == std::vector<bool>{false, false, true});
}

TEST_CASE("samples of calm visits keep their order") {
  CHECK(counted_samples(series_with_probes({10, 15, 10})) == std::vector<double>{1, 4, 5, 6});
  CHECK(counted_samples(series_with_probes({15, 10, 15})) == std::vector<double>{2, 3});
}

TEST_CASE("without controls, as in a simulator, every visit counts") {
  CHECK(counted_blocks(series_with_probes({})) == std::vector<bool>{true, true, true});
  CHECK(counted_samples(series_with_probes({})) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("the values of samples decide nothing") {
  Series wild = series_with_probes({10, 10, 10});
  wild.samples_seconds = {1, 1e9, 1, 1, 1, 1};
  CHECK(counted_samples(wild) == wild.samples_seconds);
}

TEST_CASE("a launch that was never calm is judged by its calmest visits") {
  CHECK(counted_samples(series_with_probes({19, 18, 30})) == std::vector<double>{1, 2, 3});
}

TEST_CASE("warm-up visits do not count, nor does their control") {
  Series series = series_with_probes({5, 10, 10.5});
  series.warm_up_blocks = 1;
  CHECK(counted_blocks(series) == std::vector<bool>{false, true, true});
  CHECK(counted_samples(series) == std::vector<double>{2, 3, 4, 5, 6});
}

TEST_CASE("a shorter noise probe of the campaign is the reference where it is known") {
  Series series = series_with_probes({19, 18, 11});
  series.judgement.quiet_probe_seconds = 10;
  CHECK(counted_blocks(series) == std::vector<bool>{false, false, true});
  series.judgement.quiet_probe_seconds = 9;
  CHECK(counted_samples(series).empty());
  CHECK_FALSE(counted(series).median_seconds);
}

TEST_CASE("dropped samples keep the median, and do not count in a launch without a free core") {
  Series series = series_with_probes({});
  drop_samples(series);
  CHECK(counted(series) == CountedSamples{.number = 6, .median_seconds = 3.5});
  series.judgement = {.quiet_probe_seconds = 1};
  CHECK(counted(series).number == 0);
}

}  // namespace hockney
