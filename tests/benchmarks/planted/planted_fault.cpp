// A program of the suite whose MPI delivers wrong data now and then: linked with the wrappers of
// tests/benchmarks/corruption, it reads from the environment what is to go wrong.
//   HOCKNEY_FAULT=type=byte,every=50              the last bit of every 50th delivery of MPI_BYTE
//   HOCKNEY_FAULT=type=byte,probability=0.02,seed=7,bytes=1024,rank=1,delivery=12345
//   HOCKNEY_FAULT=type=byte,kind=stale,every=50,least=4096,after=100    the message before, of
//   large ones, not of the first

#include <mpi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "benchmarks/harness/datatypes.hpp"
#include "benchmarks/harness/environment.hpp"
#include "core/text.hpp"
#include "tests/benchmarks/corruption/corruptor.hpp"

namespace {

using namespace hockney;

std::map<std::string, std::string> fault() {
  std::map<std::string, std::string> words;
  const char* text = std::getenv("HOCKNEY_FAULT");
  for (const std::string& word : split(text == nullptr ? "" : text, ',')) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) words[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return words;
}

benchmarks::Corruption kind_of(const std::string& word) {
  using benchmarks::Corruption;
  static const std::map<std::string, Corruption> kinds{
      {"first-bit", Corruption::first_bit},   {"middle-bit", Corruption::middle_bit},
      {"last-bit", Corruption::last_bit},     {"last-byte", Corruption::last_byte},
      {"element", Corruption::element},       {"block", Corruption::block},
      {"swap", Corruption::swapped_blocks},   {"contributions", Corruption::wrong_contributions},
      {"everything", Corruption::everything}, {"zeroes", Corruption::zeroes},
      {"stale", Corruption::stale},           {"late", Corruption::late},
      {"unlocked", Corruption::unlocked},     {"gaps", Corruption::gaps}};
  return kinds.at(word);
}

std::unique_ptr<benchmarks::Corruptor> plant() {
  const auto words = fault();
  const auto number = [&](const std::string& key) {
    const auto found = words.find(key);
    return found == words.end() ? std::nullopt : std::optional(std::stoul(found->second));
  };
  const int rank = benchmarks::rank_in(MPI_COMM_WORLD);
  if (!words.contains("type") || number("rank").value_or(rank) != static_cast<std::size_t>(rank)) {
    return nullptr;
  }
  const auto share = words.find("probability");
  return std::make_unique<benchmarks::Corruptor>(
      kind_of(words.contains("kind") ? words.at("kind") : "last-bit"),
      benchmarks::Target{.delivery = number("delivery"),
                         .type = benchmarks::find_datatype(words.at("type")).handle,
                         .bytes = number("bytes"),
                         .least_bytes = number("least").value_or(0),
                         .after = number("after").value_or(0),
                         .every = number("every").value_or(1),
                         .probability = share == words.end() ? 1 : std::stod(share->second),
                         .seed = number("seed").value_or(0) + static_cast<std::size_t>(rank)});
}

std::unique_ptr<benchmarks::Corruptor>& planted() {
  static std::unique_ptr<benchmarks::Corruptor> fault;
  return fault;
}

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  planted() = plant();
  return code;
}
