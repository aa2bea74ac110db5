#include "campaign/self_test_config.hpp"

namespace hockney {

CampaignConfig self_test_config() {
  return {.name = "self-test",
          .description =
              "What hockney finds where the truth is known: every operation under two names, and "
              "with slow-downs of 5, 10 and 20 %, interleaved at random; and clocks that are the "
              "same. What 'hockney self-test' runs and reads.",
          .program = "hockney-self-test",
          .arguments = {},
          .ranks = 2,
          .launches = 40,
          .budget = Seconds{180}};
}

}  // namespace hockney
