#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace hockney {

/// A list whose copies are one in memory until one of them is to be changed. It is made of a vector
/// and read like one.
template <class Item>
class SharedList {
 public:
  using value_type = Item;
  using const_iterator = typename std::vector<Item>::const_iterator;

  SharedList() = default;
  SharedList(std::initializer_list<Item> items) : SharedList(std::vector<Item>(items)) {}
  SharedList(std::vector<Item> items)
      : items_(std::make_shared<std::vector<Item>>(std::move(items))) {}

  operator const std::vector<Item>&() const { return items(); }
  [[nodiscard]] const_iterator begin() const { return items().begin(); }
  [[nodiscard]] const_iterator end() const { return items().end(); }
  [[nodiscard]] std::size_t size() const { return items().size(); }
  [[nodiscard]] bool empty() const { return items().empty(); }
  [[nodiscard]] const Item& operator[](std::size_t place) const { return items()[place]; }

  /// The items to be changed, of this list alone.
  std::vector<Item>& own() {
    if (items_.use_count() != 1) items_ = std::make_shared<std::vector<Item>>(items());
    return *items_;
  }

  /// Makes this list and an equal one the same in memory; leaves one that differs as it is.
  void share(const SharedList& other) {
    if (*this == other) items_ = other.items_;
  }
  [[nodiscard]] bool shares(const SharedList& other) const { return items_ == other.items_; }

  friend bool operator==(const SharedList& list, const SharedList& other) {
    return list.shares(other) || list.items() == other.items();
  }

 private:
  [[nodiscard]] const std::vector<Item>& items() const {
    static const std::vector<Item> none;
    return items_ ? *items_ : none;
  }

  std::shared_ptr<std::vector<Item>> items_;
};

}  // namespace hockney
