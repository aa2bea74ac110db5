#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace hockney::benchmarks {

/// Text that is put together at compile time.
class FixedText {
 public:
  constexpr FixedText(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      for (const char c : part) text_[size_++] = c;
    }
  }
  [[nodiscard]] constexpr std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 192> text_{};
  std::size_t size_ = 0;
};

}  // namespace hockney::benchmarks
