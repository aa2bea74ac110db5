#include <algorithm>

#include "core/quantities.hpp"
#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::share_of;
using applications::SizeClass;
using Json = nlohmann::json;

/// "8", "16K to 32K".
std::string range_text(const SizeClass& one) {
  if (one.from_bytes == one.to_bytes) return std::to_string(one.from_bytes) + " B";
  return format_bytes({one.from_bytes}) + " to " + format_bytes({one.to_bytes + 1}) + " B";
}

PageTable table_of_sizes(const std::vector<SizeClass>& sizes, const applications::Volume& all) {
  PageTable table{{{"from", "from_bytes"},
                   {"to", "to_bytes"},
                   {"calls or bytes", "part"},
                   {"amount", "amount"},
                   {"share", "share_fraction"}},
                  {}};
  for (const SizeClass& one : sizes) {
    const std::vector<PageCell> ends{size_on_page({one.from_bytes}), size_on_page({one.to_bytes})};
    const applications::Volume& volume = one.volume;
    table.rows.push_back({ends[0], ends[1], "calls",
                          count_on_page(static_cast<std::size_t>(volume.count)),
                          share_on_page(share_of(volume.count, all.count))});
    table.rows.push_back({ends[0], ends[1], "bytes",
                          PageCell(short_bytes(static_cast<double>(volume.bytes)), volume.bytes),
                          share_on_page(share_of(volume.bytes, all.bytes).value_or(0))});
  }
  return table;
}

std::string title_of_sizes(const std::vector<SizeClass>& sizes, const applications::Volume& all) {
  const auto calls = [](const SizeClass& one) { return one.volume.count; };
  const auto bytes = [](const SizeClass& one) { return one.volume.bytes; };
  const SizeClass& most_calls = *std::ranges::max_element(sizes, {}, calls);
  const SizeClass& most_bytes = *std::ranges::max_element(sizes, {}, bytes);
  const std::string told =
      share_text(share_of(calls(most_calls), all.count).value_or(0)) + " of the calls";
  const std::string share = share_text(share_of(bytes(most_bytes), all.bytes).value_or(0));
  if (&most_calls == &most_bytes) {
    return told + " and " + share + " of the bytes are of " + range_text(most_calls);
  }
  return told + " are of " + range_text(most_calls) + ", " + share + " of the bytes of " +
         range_text(most_bytes);
}

/// All classes from the first to the last, so that gaps show.
std::vector<std::string> size_axis(const std::vector<SizeClass>& sizes) {
  std::vector<std::string> names;
  std::int64_t from = sizes.front().from_bytes;
  while (from < sizes.back().from_bytes) {
    names.push_back(format_bytes({from}));
    from = from == 0 ? 1 : from * 2;
  }
  names.push_back(format_bytes({sizes.back().from_bytes}));
  return names;
}

std::string limits_text(const ProfileView& view) {
  std::string text;
  for (const applications::LimitUse& use : view.limits) {
    text += " Eager limit " + std::string(word(use.limits.reach)) + ": " +
            join_numbers(use.limits.limits_bytes, " or ") + " B.";
  }
  return text;
}

}  // namespace

std::vector<Picture> size_pictures(const ProfileView& view, const ProgramSource& source) {
  const std::vector<SizeClass> sizes = applications::by_size(view.profile);
  applications::Volume all;
  for (const SizeClass& one : sizes) all.add(one.volume);
  if (all.count == 0) return {};
  const std::vector<std::string> parts{"calls", "bytes"};
  Picture picture{.id = "sizes",
                  .title = title_of_sizes(sizes, all),
                  .caption =
                      "Calls that carry data, by the bytes of one call: a bar for each power of "
                      "two and what is below the next." +
                      limits_text(view),
                  .table = table_of_sizes(sizes, all),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  for (Json& value : values) value["size"] = format_bytes({value.at("from_bytes")});
  const std::vector<std::string> names = size_axis(sizes);
  Json x = name_channel("size", "bytes of a call, from", names);
  x["scale"] = {{"domain", names}};
  x["axis"]["labelAngle"] = 0;
  const Json offset{{"field", "part"}, {"type", "nominal"}, {"sort", parts}};
  picture.plot =
      plot_of(picture.title, std::move(values),
              Json::array({{{"name", "rows"},
                            {"mark", "bar"},
                            {"encoding", telling({{"x", x},
                                                  {"y", share_channel("share_fraction", "share")},
                                                  {"xOffset", offset},
                                                  {"color", series_color("part", parts)}})}}}),
              240);
  return {std::move(picture)};
}

}  // namespace hockney::report
