#include <algorithm>
#include <optional>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/curve_layers.hpp"
#include "report/page/pictures.hpp"
#include "report/page/plot.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using Json = nlohmann::json;
using SomePaths = std::span<const PathRow>;

constexpr std::size_t most_pictured_curves = 4;

std::string path_of(const PathRow& row) {
  return row.mpi.paths.empty() ? "unknown" : join(row.mpi.paths, " or ");
}

PageTable table_of(SomePaths rows) {
  PageTable table{{{"path", "path"},
                   {"bytes", "bytes"},
                   {"MPI", "median_seconds"},
                   {"memcpy", "memcpy_seconds"},
                   {"one copy between processes", "process_vm_seconds"},
                   {"times the floor", "multiple"}},
                  {}};
  for (const PathRow& row : rows) {
    if (!row.mpi.median_seconds) continue;
    table.rows.push_back({path_of(row), size_on_page(row.mpi.point.bytes),
                          time_on_page(row.mpi.median_seconds), time_on_page(row.memcpy_seconds),
                          time_on_page(row.process_vm_seconds), number_on_page(row.multiple, 3)});
  }
  return table;
}

/// "shm up to 2K, cma from 4K", and at the largest size how many times its floor.
std::string title_of(SomePaths rows) {
  std::vector<std::string> parts;
  const PathRow* last = nullptr;
  for (const PathRow& row : rows) {
    if (!row.mpi.median_seconds) continue;
    if (last == nullptr || path_of(*last) != path_of(row)) {
      if (last != nullptr) parts.back() += " up to " + format_bytes(last->mpi.point.bytes);
      parts.push_back(inert(path_of(row)));
      if (last != nullptr) parts.back() += " from " + format_bytes(row.mpi.point.bytes);
    }
    last = &row;
  }
  std::string text = curve_title(rows.front().mpi) + " goes by " + join(parts);
  const std::optional<double> multiple = last == nullptr ? std::nullopt : last->multiple;
  if (!multiple) return text;
  return text + "; at " + format_bytes(last->mpi.point.bytes) + " " + significant(*multiple, 2) +
         " times its floor";
}

Json floor_line(const char* key, const char* name, int dash) {
  const std::string filter = std::string("isValid(datum.") + key + ") && datum.bytes > 0";
  return {
      {"transform", Json::array({{{"filter", filter}},
                                 {{"calculate", std::string("'") + name + "'"}, {"as", "floor"}}})},
      {"mark",
       {{"type", "line"}, {"strokeDash", Json::array({dash, 3})}, {"color", "var(--soft)"}}},
      {"encoding", {{"x", size_channel()}, {"y", time_channel(key)}}}};
}

Json layers_of(const Json& values) {
  const std::vector<std::string> paths = names_in(values, "path");
  return Json::array(
      {floor_line("memcpy_seconds", "memcpy", 2),
       floor_line("process_vm_seconds", "one copy", 8),
       {{"name", "rows"},
        {"mark", {{"type", "point"}, {"filled", true}, {"size", 65}, {"opacity", 1}}},
        {"encoding", telling({{"x", size_channel()},
                              {"y", time_channel("median_seconds")},
                              {"color", series_color("path", paths)},
                              {"shape", series_shape("path", paths)}})}}});
}

}  // namespace

std::vector<Picture> path_pictures(std::span<const PathRow> rows, const PictureSource& source) {
  std::vector<Picture> pictures;
  const std::vector<PathRow> all(rows.begin(), rows.end());
  for_each_curve(all, &PathRow::mpi, [&](SomePaths curve) {
    if (pictures.size() == most_pictured_curves) return;
    Picture picture{.id = id_of("path-" + curve_title(curve.front().mpi)),
                    .title = title_of(curve),
                    .caption =
                        "Points: MPI, by the path that is proven. Short dashes: memcpy through "
                        "shared memory; long dashes: one copy from process to process.",
                    .table = table_of(curve),
                    .launches = source.launches,
                    .command = "hockney report " + source.paths + " --all"};
    if (picture.table.rows.empty()) return;
    Json values = values_of(picture.table);
    Json layers = layers_of(values);
    picture.plot = plot_of(picture.title, std::move(values), std::move(layers));
    pictures.push_back(std::move(picture));
  });
  return pictures;
}

}  // namespace hockney::report
