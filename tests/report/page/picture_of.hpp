#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "report/page/records_page.hpp"

namespace hockney::report {

inline Page page_of_one(std::vector<Record> records, const collectives::Fits& fits = {}) {
  RecordFolders folder("results/x", std::move(records));
  return page_of(folder, fits);
}

inline const Picture& picture(const Page& page, const std::string& id) {
  const auto found = std::ranges::find(page.pictures, id, &Picture::id);
  INFO(id << " of " << join(strings_of(page.pictures, &Picture::id)));
  REQUIRE(found != page.pictures.end());
  return *found;
}

/// What the layer "rows" draws: the plot's own data, or those of the layer.
inline nlohmann::json rows_of(const Picture& picture) {
  for (const auto& layer : picture.plot.at("layer")) {
    if (layer.value("name", "") == "rows") {
      return (layer.contains("data") ? layer : picture.plot).at("data").at("values");
    }
  }
  return {};
}

/// The values of a key over all rows.
inline std::vector<std::string> texts_in(const nlohmann::json& rows, const std::string& key) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back(row.at(key));
  return texts;
}

}  // namespace hockney::report
