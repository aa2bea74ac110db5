#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace hockney {

/// A list whose copies share their memory until one of them is changed. It is constructed from a
/// vector and read like one.
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

  /// The items for changing; copies of this list keep the old ones.
  std::vector<Item>& own() {
    if (items_.use_count() != 1) items_ = std::make_shared<std::vector<Item>>(items());
    return *items_;
  }

  /// Makes this list use the memory of `other` if both are equal; otherwise no effect.
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
