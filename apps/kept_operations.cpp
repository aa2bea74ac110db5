#include "apps/kept_operations.hpp"

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "core/names.hpp"

namespace hockney {

void keep_operations(const std::vector<std::vector<Record>*>& sides, const std::string& list) {
  const std::vector<std::string> wanted = split(list, ',');
  const auto unwanted = [&](const auto& item) {
    return std::ranges::find(wanted, item.point.operation) == wanted.end();
  };
  std::set<std::string> known;
  for (std::vector<Record>* records : sides) {
    for (Record& record : *records) {
      for (const Series& series : record.series) known.insert(series.point.operation);
      std::erase_if(record.points, unwanted);
      std::erase_if(record.series, unwanted);
    }
  }
  for (const std::string& name : wanted) {
    if (known.contains(name)) continue;
    throw InputError({"unknown operation '" + name + "'", "no record holds it",
                      suggest(name, {known.begin(), known.end()})});
  }
}

}  // namespace hockney
