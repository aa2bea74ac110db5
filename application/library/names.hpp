#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "application/library/rows.hpp"
#include "application/profile/part.hpp"

namespace hockney::profile {

/// Names of regions, files of code and functions, each once and whole: the letters of a part.
class Names {
 public:
  explicit Names(Budget& budget);

  /// Where a name begins among the letters; nullopt when there is no memory left for it.
  std::optional<std::uint32_t> add(std::string_view name);
  /// The same of a name that is there; nullopt for others.
  std::optional<std::uint32_t> find(std::string_view name);

  [[nodiscard]] std::span<const char> letters() const { return letters_.rows(); }

 private:
  std::uint32_t& slot_of(std::string_view name);
  bool rehash();

  RowList<char> letters_;  ///< each name ends with NUL
  Slots slots_;
  std::size_t names_ = 0;
};

/// The parts of the program that it names itself.
class Regions {
 public:
  Regions(Budget& budget, Names& names) : names_(names), rows_(budget), by_name_(budget) {}

  /// Of a name [B]; longer ones are cut at a character.
  static constexpr std::size_t longest_name = 255;

  /// False when there is no memory, or no number, left for one more.
  bool enter(std::string_view name);
  /// Nothing where it was not entered.
  void leave(std::string_view name);

  /// Index + 1 of the innermost one, 0 outside of all.
  [[nodiscard]] std::uint16_t innermost() const { return inside_.empty() ? 0 : inside_.back(); }
  [[nodiscard]] std::span<const RegionRow> rows() const { return rows_.rows(); }

 private:
  struct ByName {
    struct Key {
      std::uint64_t name = 0;  ///< where it begins among the letters

      friend bool operator==(const Key&, const Key&) = default;
    };

    Key key;
    std::uint16_t number = 0;  ///< index + 1
  };

  std::uint16_t number_of(std::string_view name);

  Names& names_;
  RowList<RegionRow> rows_;
  RowTable<ByName> by_name_;
  std::vector<std::uint16_t> inside_;  ///< numbers, the innermost at the back
};

}  // namespace hockney::profile
