#include "core/host_list.hpp"

#include <algorithm>
#include <cstdint>

#include "core/text.hpp"

namespace hockney {
namespace {

class HostList {
 public:
  explicit HostList(std::string_view text) : text_(text) {}

  std::vector<std::string> hosts() {
    std::vector<std::string> all;
    for (const std::string_view name : parts(text_)) {
      for (std::string& host : names_of(name)) all.push_back(std::move(host));
      check_count(all.size());
    }
    return all;
  }

 private:
  [[noreturn]] void reject(const std::string& why, const std::string& suggestion) const {
    throw HostListError({"the hosts '" + std::string(text_) + "'", why, suggestion});
  }

  void check_count(std::size_t count) const {
    if (count <= most_hosts) return;
    reject("they are more than " + std::to_string(most_hosts), "check the numbers");
  }

  /// What commas outside of brackets separate.
  [[nodiscard]] std::vector<std::string_view> parts(std::string_view text) const {
    std::vector<std::string_view> found;
    bool inside = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char at = i < text.size() ? text[i] : ',';
      if (at == (inside ? '[' : ']')) reject("a bracket has no partner", "write \"nid[0-3]\"");
      if (at == '[') inside = true;
      if (at == ']') inside = false;
      if (at != ',' || (inside && i < text.size())) continue;
      if (inside) reject("a bracket has no partner", "write \"nid[0-3]\"");
      if (i == begin) reject("a name is missing", "separate names by single commas");
      found.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
    return found;
  }

  [[nodiscard]] std::vector<std::string> names_of(std::string_view name) const {
    const std::size_t open = name.find('[');
    if (open == std::string_view::npos) return {std::string(name)};
    const std::size_t close = name.find(']', open);
    const std::vector<std::string> numbers = numbers_of(name.substr(open + 1, close - open - 1));
    const std::string_view rest = name.substr(close + 1);
    const std::vector<std::string> ends =
        rest.empty() ? std::vector<std::string>{""} : names_of(rest);
    check_count(numbers.size() * ends.size());
    std::vector<std::string> names;
    names.reserve(numbers.size() * ends.size());
    for (const std::string& number : numbers) {
      for (const std::string& end : ends) {
        names.push_back(std::string(name.substr(0, open)) + number + end);
      }
    }
    return names;
  }

  /// "1-3,07" to "1", "2", "3", "07".
  [[nodiscard]] std::vector<std::string> numbers_of(std::string_view ranges) const {
    std::vector<std::string> numbers;
    for (const std::string_view range : parts(ranges)) {
      const std::size_t dash = range.find('-');
      const std::string_view first = range.substr(0, dash);
      const std::string_view last = dash == std::string_view::npos ? first : range.substr(dash + 1);
      const std::int64_t low = number(first);
      const std::int64_t high = number(last);
      if (high < low) {
        reject("they end before they begin", "write the first number before the last");
      }
      check_count(static_cast<std::size_t>(high - low) + 1 + numbers.size());
      for (std::int64_t i = low; i <= high; ++i) numbers.push_back(padded(i, first.size()));
    }
    return numbers;
  }

  [[nodiscard]] std::int64_t number(std::string_view digits) const {
    constexpr std::size_t most_digits = 18;  // of any 64-bit integer
    const bool is_number = !digits.empty() && std::ranges::all_of(digits, [](char at) {
      return at >= '0' && at <= '9';
    });
    if (!is_number) reject("a range is written \"nid[0-3]\"", "write the numbers of hosts");
    if (digits.size() > most_digits) reject("a number is too long", "check the numbers");
    return as_number<std::int64_t>(digits).value_or(0);
  }

  static std::string padded(std::int64_t number, std::size_t width) {
    std::string digits = std::to_string(number);
    if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
    return digits;
  }

  std::string_view text_;
};

}  // namespace

std::vector<std::string> expand_hosts(std::string_view list) { return HostList(list).hosts(); }

}  // namespace hockney
