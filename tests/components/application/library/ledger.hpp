#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace hockney::profile {

/// What a program knows that it does itself, by its own count: calls with their bytes, and messages
/// by receiver. Held against what the library recorded.
class Ledger {
 public:
  void call(const std::string& name, std::int64_t bytes = 0, std::int64_t times = 1) {
    calls_["MPI_" + name].first += times;
    calls_["MPI_" + name].second += bytes;
  }
  void message(int to, std::int64_t bytes, std::int64_t times = 1) {
    messages_[std::to_string(to)].first += times;
    messages_[std::to_string(to)].second += times * bytes;
  }
  /// A call that sends one message.
  void send(const std::string& name, int to, std::int64_t bytes, std::int64_t times = 1) {
    call(name, times * bytes, times);
    message(to, bytes, times);
  }

  void save(const std::string& file) const {
    std::ofstream(file) << nlohmann::json{{"calls", calls_}, {"messages", messages_}};
  }

 private:
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> calls_;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> messages_;
};

}  // namespace hockney::profile
