// The unit of prices of a build: usual standard headers, and a few templates of them.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

template <typename T>
std::string show(std::vector<T> values) {
  const std::function<bool(const T&)> is_kept = [](const T& value) { return value != T{}; };
  const auto table = std::make_shared<std::map<std::string, std::vector<T>>>();
  std::sort(values.begin(), values.end());
  std::copy_if(values.begin(), values.end(), std::back_inserter((*table)["kept"]), is_kept);
  const auto largest =
      table->at("kept").empty() ? std::nullopt : std::optional<T>(table->at("kept").back());
  std::ostringstream out;
  out << largest.value_or(T{}) << ' ' << table->size();
  return out.str();
}
std::string all() {
  return show<int>({1, 2}) + show<double>({1, 2}) + show<long>({1, 2}) +
         show<std::string>({"1", "2"});
}
