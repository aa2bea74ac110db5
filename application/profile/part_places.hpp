#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "application/profile/part.hpp"

namespace hockney::profile {

/// The communicators, sites and regions of several parts, each once, in the order in which they
/// come.
class PartPlaces {
 public:
  PartPlaces(std::vector<Communicator>& communicators, std::vector<Site>& sites,
             std::vector<Region>& regions)
      : communicators_(communicators), sites_(sites), regions_(regions) {}

  /// Adds those of a part; its rows are meant from now on.
  void add(const Part& part);

  using Index = std::optional<int>;
  [[nodiscard]] Index communicator(std::uint32_t row) const { return index(row, communicator_); }
  [[nodiscard]] Index site(std::uint32_t row) const { return index(row, site_); }
  /// `number`: index + 1, 0 for none.
  [[nodiscard]] Index region(std::uint32_t number) const { return index(number - 1U, region_); }

 private:
  /// Distinct values, each with its place in a list.
  template <class Key, class Value>
  class Distinct {
   public:
    explicit Distinct(std::vector<Value>& list) : list_(list) {}

    template <class Make>
    int of(const Key& key, Make&& make) {
      const auto [found, is_new] = places_.try_emplace(key, static_cast<int>(list_.size()));
      if (is_new) list_.push_back(make());
      return found->second;
    }

   private:
    std::vector<Value>& list_;
    std::map<Key, int> places_;
  };

  static Index index(std::uint32_t row, const std::vector<int>& places) {
    return row < places.size() ? Index(places[row]) : std::nullopt;
  }

  Distinct<std::string, Communicator> communicators_;
  Distinct<std::pair<std::string, std::int64_t>, Site> sites_;
  Distinct<std::string, Region> regions_;
  std::vector<int> communicator_;  ///< of the part's rows
  std::vector<int> site_;
  std::vector<int> region_;
};

}  // namespace hockney::profile
