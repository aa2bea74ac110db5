#include "tests/simulation/simulated_campaign.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney::simulation {
namespace {

namespace fs = std::filesystem;

nlohmann::json campaign(const Simulation& simulation) {
  std::vector<std::string> launcher{"-platform",
                                    simulation.platform_file,
                                    "-hostfile",
                                    "two.hosts",
                                    "--log=root.thresh:critical",
                                    "--cfg=smpi/host-speed:1Gf",
                                    "--cfg=smpi/simulate-computation:no",
                                    "--cfg=smpi/wtime:0",
                                    "--cfg=smpi/bw-factor:0:1"};
  // A platform with a factor of its own wants no other.
  if (simulation.platform_file == "two.xml") launcher.emplace_back("--cfg=smpi/lat-factor:0:1");
  launcher.insert(launcher.end(), simulation.settings.begin(), simulation.settings.end());
  return {{"schema", "hockney.campaign/1"},
          {"name", "simulated"},
          {"description", "Two hosts whose link is known"},
          {"program", HOCKNEY_SIMULATED_BIN "/hockney-pingpong"},
          {"arguments", simulation.arguments},
          {"ranks", 2},
          {"launches", simulation.launches},
          {"settings", {{{"name", "default"}}}},
          {"launcher", {{"dialect", "smpirun"}, {"arguments", launcher}}}};
}

}  // namespace

Line wire(const Platform& platform) {
  constexpr double envelope = 16;  // [B]
  return {platform.latency_seconds + envelope / platform.bytes_per_second,
          1 / platform.bytes_per_second};
}

void check_segment(const JsonNode& segment, const Line& truth) {
  CHECK(segment.at("alpha_seconds").number() ==
        Approx(truth.alpha_seconds).epsilon(link_tolerance));
  CHECK(segment.at("beta_seconds_per_byte").number() ==
        Approx(truth.beta_seconds_per_byte).epsilon(link_tolerance));
}

std::string platform_xml(const Platform& platform) {
  std::ostringstream xml;
  xml.precision(17);
  xml << "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      << "<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\">\n"
      << "<host id=\"h0\" speed=\"1Gf\"/><host id=\"h1\" speed=\"1Gf\"/>\n"
      << "<link id=\"wire\" bandwidth=\"" << platform.bytes_per_second << "Bps\" latency=\""
      << platform.latency_seconds << "s\" sharing_policy=\"SPLITDUPLEX\"/>\n"
      << "<route src=\"h0\" dst=\"h1\"><link_ctn id=\"wire\" direction=\"UP\"/></route>\n"
      << "</zone></platform>\n";
  return xml.str();
}

std::vector<JsonNode> fits_of_simulation(const Simulation& simulation) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  write_atomically(folder / "two.xml", platform_xml(simulation.platform));
  write_atomically(folder / "two.hosts", "h0\nh1\n");
  write_atomically(folder / "campaign.json", campaign(simulation).dump(1));
  const std::string driver = HOCKNEY_DRIVER;
  const std::string records = (folder / "out").string();
  const std::string fits = (folder / "fit.json").string();
  const std::string run = driver + " run " + (folder / "campaign.json").string() + " --seed " +
                          std::to_string(simulation.seed) + " --out " + records + " > " +
                          (folder / "run.log").string() + " 2>&1";
  const bool ran = std::system(run.c_str()) == 0;
  INFO(read_file(folder / "run.log"));
  REQUIRE(ran);
  REQUIRE(std::system((driver + " fit " + records + " --json > " + fits).c_str()) == 0);
  return load_json(fits).at("fits").elements();
}

JsonNode fit_of_simulation(const Platform& platform, const std::string& sizes,
                           const std::vector<std::string>& settings) {
  const auto found = fits_of_simulation(
      {.platform = platform, .arguments = {"--sizes", sizes}, .settings = settings});
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace hockney::simulation
