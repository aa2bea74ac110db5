// Two hosts and a link whose latency is noisy, for smpirun -platform: every message by a factor of
// its own (log-normal, 5 %; one of a hundred takes three times as long), every launch by another
// (log-normal, 5 %). Drawn from the --seed of the program that is run.

#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace sg4 = simgrid::s4u;

namespace {

constexpr double noise = 0.05;
constexpr double outliers = 0.01;
constexpr double outlier_factor = 3;

/// The number after "--seed" on the command line; words there end with a zero byte.
std::uint64_t seed_of_program() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  const std::string words{std::istreambuf_iterator<char>(file), {}};
  const std::string option("--seed\0", 7);
  const std::size_t place = words.find(option);
  return place == std::string::npos ? 1 : std::stoull(words.substr(place + option.size()));
}

class Noise {
 public:
  explicit Noise(std::uint64_t seed) : random_(seed), launch_(factor()) {}

  double operator()() {
    const bool is_outlier = std::uniform_real_distribution<>(0, 1)(random_) < outliers;
    return launch_ * factor() * (is_outlier ? outlier_factor : 1);
  }

 private:
  double factor() { return std::exp(std::normal_distribution<>(0, noise)(random_)); }

  std::mt19937_64 random_;
  double launch_;
};

}  // namespace

extern "C" void load_platform(const sg4::Engine& engine);

void load_platform(const sg4::Engine& /*engine*/) {
  static Noise noise_of_message(seed_of_program());
  auto* zone = sg4::create_full_zone("world");
  const sg4::Host* first = zone->create_host("h0", 1e9)->seal();
  const sg4::Host* second = zone->create_host("h1", 1e9)->seal();
  const auto* wire = zone->create_split_duplex_link("wire", 1e10)->set_latency(1e-6)->seal();
  zone->add_route(first->get_netpoint(), second->get_netpoint(), nullptr, nullptr,
                  {{wire, sg4::LinkInRoute::Direction::UP}}, true);
  zone->seal();
  const auto factor = [](double, const sg4::Host*, const sg4::Host*, const std::vector<sg4::Link*>&,
                         const std::unordered_set<sg4::NetZone*>&) { return noise_of_message(); };
  zone->get_network_model()->set_lat_factor_cb(factor);
}
