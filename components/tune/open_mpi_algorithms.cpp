#include "components/tune/open_mpi_algorithms.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "core/collectives.hpp"
#include "core/text.hpp"

namespace hockney::tune {

OpenMpiRelease open_mpi_release(std::string_view library) {
  constexpr std::string_view beginning = "Open MPI v";
  const std::size_t at = library.find(beginning);
  if (at == std::string_view::npos) return {};
  std::array<int, 3> numbers{};
  std::string_view rest = library.substr(at + beginning.size());
  for (int& number : numbers) {
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc()) break;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('.')) break;
    rest.remove_prefix(1);
  }
  if (numbers[0] == 0) return {};
  return {.major = numbers[0], .minor = numbers[1], .patch = numbers[2]};
}

std::string title(const OpenMpiRelease& release) {
  if (release == OpenMpiRelease{}) return "Open MPI";
  return fmt::format("Open MPI {}.{}", release.major, release.minor);
}

std::span<const std::string_view> open_mpi_algorithms(const std::string& operation) {
  const Collective* const collective = find_collective(operation);
  if (collective == nullptr) return {};
  return known_names(collective->open_mpi);
}

std::optional<int> open_mpi_collective(const std::string& operation) {
  if (open_mpi_algorithms(operation).empty()) return std::nullopt;
  return static_cast<int>(find_collective(operation) - all_collectives.data());
}

int last_open_mpi_algorithm(const std::string& operation, const OpenMpiRelease& release) {
  const Collective* const collective = find_collective(operation);
  const LastAlgorithms last = collective == nullptr ? LastAlgorithms{} : collective->last;
  constexpr int generation_4 = 4;
  constexpr int generation_5 = 5;
  if (release.major <= generation_4 && last.in_4 > 0) return last.in_4;
  if (release.major == generation_5 && last.in_5 > 0) return last.in_5;
  return static_cast<int>(open_mpi_algorithms(operation).size());
}

std::optional<int> open_mpi_number(const std::string& operation, const Choice& choice) {
  if (choice.number) return choice.number;
  if (choice.is_default()) return 0;
  const auto names = open_mpi_algorithms(operation);
  const auto found = std::ranges::find(names, choice.algorithm);
  if (found != names.end()) return static_cast<int>(found - names.begin()) + 1;
  const auto number = as_number<int>(choice.algorithm);
  return number && *number > 0 ? number : std::nullopt;
}

std::string open_mpi_name(const std::string& operation, int number) {
  const auto names = open_mpi_algorithms(operation);
  const auto index = static_cast<std::size_t>(number) - 1;
  return index < names.size() ? std::string(names[index]) : std::to_string(number);
}

}  // namespace hockney::tune
