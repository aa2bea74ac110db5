// A history of the size of a large site: how fast it grows, how long a nightly check takes and how
// much memory. tests/benchmarks/README.md says how to run it and what was seen.

#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <random>

#include "components/health/history/night_writer.hpp"
#include "core/error.hpp"
#include "core/quantities.hpp"
#include "tests/benchmarks/timed_driver.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace hockney;

namespace {

struct Size {
  int nodes = 4392;
  int nights = 365;
};

const std::int64_t first_day = parse_day("2026-01-01");

/// Every node's alpha, beta and memory bandwidth, two per cent of noise.
class Site {
 public:
  explicit Site(const Size& size) : size_(size) {}

  health::Night night(int number) {
    const std::int64_t day = first_day + number;
    health::Night night{.day = day,
                        .campaign = "nightly",
                        .records = {{.digest = "night-" + std::to_string(number), .file = "/none"}},
                        .environments = {{.digest = "00000000-0000-5000-8000-000000000000",
                                          .facts = {{"host.kernel", "Linux 6.1"}}}},
                        .figures = {},
                        .pairs = {}};
    for (int node = 0; node < size_.nodes; ++node) {
      const std::string host = "/host=n" + std::to_string(node);
      add(night, {.name = "pingpong" + host + "/alpha_seconds", .unit = "seconds"}, 1e-6);
      add(night, {.name = "pingpong" + host + "/beta", .unit = "seconds_per_byte"}, 1e-10);
      add(night,
          {.name = "bandwidth" + host + "/bytes_per_second",
           .unit = "bytes_per_second",
           .worse = health::WorseWhen::smaller},
          1e10);
    }
    return night;
  }

 private:
  void add(health::Night& night, health::SeriesKind kind, double level) {
    const double value = level * std::exp(noise_(random_));
    night.figures.push_back(
        {.series = std::move(kind),
         .value = {.day = night.day,
                   .value = value,
                   .interval = Interval{.low = 0.98 * value, .high = 1.02 * value, .level = 0.96},
                   .launches = 8,
                   .environment = night.environments.front().digest}});
  }

  Size size_;
  std::mt19937_64 random_{20260101};
  std::normal_distribution<double> noise_{0, 0.02};
};

void fill(const std::string& file, const Size& size) {
  const health::HistoryDatabase database(file, health::HistoryAccess::create);
  health::NightWriter writer(database);
  Site site(size);
  double storing = 0;
  std::clock_t busy = 0;
  std::size_t rows = 0;
  for (int number = 0; number < size.nights; ++number) {
    const health::Night night = site.night(number);
    rows += night.figures.size();
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t busy_before = std::clock();
    writer.store(night);
    busy += std::clock() - busy_before;
    storing += benchmarks::seconds_since(begin);
  }
  std::cout << rows << " rows in " << storing << " s: " << static_cast<double>(rows) / storing
            << " rows/s, " << static_cast<double>(busy) / CLOCKS_PER_SEC << " s of CPU\n";
}

int run(int argc, char** argv) {
  std::cout << std::unitbuf;
  Size size;
  if (argc > 1) size.nodes = std::stoi(argv[1]);
  if (argc > 2) size.nights = std::stoi(argv[2]);
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/history.sqlite";
  fill(file, size);
  std::cout << static_cast<double>(std::filesystem::file_size(file)) / 1e6 << " MB on disk\n";
  benchmarks::drive({"check", "--history", file});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
