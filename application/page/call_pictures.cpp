#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "report/page/plot.hpp"
#include "application/page/pictures.hpp"
#include "report/table.hpp"

namespace hockney::report {
namespace {

using applications::CallSums;
using applications::FunctionCalls;
using applications::share_of;
using Json = nlohmann::json;

constexpr std::size_t most_bars = 12;

/// Some calls under a name for people.
struct NamedCalls {
  std::string name;  ///< not inert
  std::string site = "-";
  CallSums sums;
  std::optional<applications::SplitTimes> waits;  ///< by a replay
};

void add_to(NamedCalls& all, const NamedCalls& one) {
  all.sums.volume.add(one.sums.volume);
  all.sums.seconds += one.sums.seconds;
  all.sums.max_seconds = std::max(all.sums.max_seconds, one.sums.max_seconds);
  if (!one.waits) return;
  if (!all.waits) all.waits.emplace();
  all.waits->dependency += one.waits->dependency;
  if (one.waits->protocol) {
    all.waits->protocol = all.waits->protocol.value_or(0) + *one.waits->protocol;
  }
  all.waits->transfer += one.waits->transfer;
}

/// The first bars, and the others in one.
std::vector<NamedCalls> first_bars(std::vector<NamedCalls> calls, const std::string& noun) {
  if (calls.size() <= most_bars) return calls;
  const std::size_t others = calls.size() - (most_bars - 1);
  NamedCalls rest{
      .name = count_text(others, "other " + noun), .site = "-", .sums = {}, .waits = {}};
  for (std::size_t i = most_bars - 1; i < calls.size(); ++i) add_to(rest, calls[i]);
  calls.resize(most_bars - 1);
  calls.push_back(std::move(rest));
  return calls;
}

std::vector<NamedCalls> named(const std::vector<FunctionCalls>& calls) {
  std::vector<NamedCalls> made;
  for (const auto& [call, sums] : calls) made.push_back({call, "-", sums, {}});
  return made;
}

PageCell bytes_cell(const std::optional<double>& bytes) {
  return bytes ? PageCell(short_bytes(*bytes), *bytes) : PageCell("-", nullptr);
}

/// With the keys of `hockney profile show --json`.
PageTable table_of(const std::vector<NamedCalls>& calls, const ProfileView& view) {
  PageTable table{{{"call", "call"},
                   {"calls", "count"},
                   {"time", "seconds"},
                   {"of the run", "run_fraction"},
                   {"longest", "max_seconds"},
                   {"bytes", "bytes"},
                   {"mean size", "mean_bytes"}},
                  {}};
  for (const auto& [name, site, sums, waits] : calls) {
    table.rows.push_back(
        {name, count_on_page(static_cast<std::size_t>(sums.volume.count)),
         time_on_page(sums.seconds),
         share_on_page(share_of(sums.seconds, view.split.time_of_all())),
         time_on_page(sums.max_seconds),
         PageCell(short_bytes(static_cast<double>(sums.volume.bytes)), sums.volume.bytes),
         bytes_cell(sums.volume.mean_bytes())});
  }
  return table;
}

Json name_axis(const Json& values) {
  Json y = name_channel("call", "", names_in(values, "call"));
  y["axis"]["title"] = nullptr;
  y["axis"]["labelLimit"] = 330;
  return y;
}

Picture picture_of_calls(const std::string& id, const std::vector<NamedCalls>& calls, bool is_time,
                         const ProfileView& view, const ProgramSource& source) {
  Picture picture{.id = id,
                  .title = {},
                  .caption = is_time ? "Of the time that all ranks ran, added up."
                                     : "Bytes handed over or received, as docs/profile.md says for "
                                       "each call.",
                  .table = table_of(calls, view),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  Json values = values_of(picture.table);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i]["words"] = picture.table.rows[i][is_time ? 3 : 5].text;
  }
  const Json x = is_time ? share_channel("run_fraction", "part of the run")
                         : amount_channel("bytes", "bytes in all");
  Json layers = numbered_bars(name_axis(values), x, values);
  picture.plot = plot_of({}, std::move(values), std::move(layers), height_of_bars(calls.size()));
  return picture;
}

void set_title(Picture& picture, const std::string& title) {
  picture.title = title;
  picture.plot["description"] = title;
}

std::vector<Picture> pictures_by_function(const ProfileView& view, const ProgramSource& source) {
  std::vector<Picture> pictures;
  std::vector<FunctionCalls> calls = applications::by_function(view.profile);
  if (calls.empty() || view.split.time_of_all() <= 0) return pictures;
  const auto told = [&](const FunctionCalls& one) {
    return share_text(one.sums.seconds / view.split.time_of_all()) + " of the run is spent in " +
           inert(one.call);
  };
  Picture by_time =
      picture_of_calls("calls-by-time", first_bars(named(calls), "function"), true, view, source);
  set_title(by_time, told(calls.front()));
  pictures.push_back(std::move(by_time));
  std::erase_if(calls, [](const FunctionCalls& one) { return one.sums.volume.bytes == 0; });
  if (calls.size() < 2) return pictures;
  const auto bytes = [](const FunctionCalls& one) { return one.sums.volume.bytes; };
  std::ranges::stable_sort(calls, std::greater<>(), bytes);
  Picture by_bytes =
      picture_of_calls("calls-by-bytes", first_bars(named(calls), "function"), false, view, source);
  set_title(by_bytes, inert(calls.front().call) + " carries most bytes, " +
                          short_bytes(static_cast<double>(bytes(calls.front()))));
  pictures.push_back(std::move(by_bytes));
  return pictures;
}

/// "BlockingHalo::end" of "apps::(anonymous namespace)::BlockingHalo::end(int)"; a name without
/// parameters stays whole.
std::string short_function(std::string name) {
  static const std::string unnamed = "(anonymous namespace)";
  for (auto at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed)) {
    name.replace(at, unnamed.size(), "");
  }
  name = name.substr(0, name.find_first_of("(<"));
  const auto last = name.rfind("::");
  if (last == std::string::npos || last == 0) return name;
  const auto before = name.rfind("::", last - 1);
  return before == std::string::npos ? name : name.substr(before + 2);
}

/// "MPI_Sendrecv in BlockingHalo::end", or with what is known of the place.
std::string short_place(const std::string& call, const ProfileView& view,
                        const std::optional<int>& site) {
  if (!site) return call;
  const auto index = static_cast<std::size_t>(*site);
  const std::string known = index < view.site_names.size() ? view.site_names[index].function : "";
  const std::string function = known.empty() ? view.profile.sites.at(index).function : known;
  return call +
         (function.empty() ? ", " + site_text(view, site) : " in " + short_function(function));
}

/// Sites by time, each with a name of its own.
std::vector<NamedCalls> calls_by_site(const ProfileView& view) {
  std::vector<NamedCalls> made;
  if (view.replay) {
    for (const applications::SiteSplit& one : view.replay->sites) {
      CallSums sums;
      sums.seconds = one.mpi_seconds;
      made.push_back(
          {short_place(one.call, view, one.site), site_text(view, one.site), sums, one.times});
    }
  } else {
    for (const auto& [call, site, sums] : applications::by_site(view.profile)) {
      made.push_back({short_place(call, view, site), site_text(view, site), sums, {}});
    }
  }
  std::map<std::string, int> seen;
  for (NamedCalls& one : made) {
    if (const int number = ++seen[one.name]; number > 1) {
      one.name += " (" + std::to_string(number) + ")";
    }
  }
  return made;
}

/// Names of the parts of a site's time, and the parts.
std::vector<std::pair<std::string, double>> parts_of(const NamedCalls& one) {
  if (!one.waits) return {{"in MPI", one.sums.seconds}};
  std::vector<std::pair<std::string, double>> parts{{"waiting for others", one.waits->dependency}};
  if (one.waits->protocol) parts.emplace_back("late receives", *one.waits->protocol);
  parts.emplace_back(one.waits->protocol ? "transfer" : "transfer and protocol",
                     one.waits->transfer);
  return parts;
}

std::vector<Picture> site_picture(const ProfileView& view, const ProgramSource& source) {
  const std::vector<NamedCalls> sites = first_bars(calls_by_site(view), "place");
  const double whole = view.split.time_of_all();
  if (view.profile.sites.empty() || sites.empty() || whole <= 0) return {};
  PageTable table{{{"call", "call"},
                   {"place", "site"},
                   {"part", "part"},
                   {"time", "seconds"},
                   {"of the run", "run_fraction"}},
                  {}};
  std::vector<std::string> names;
  for (const NamedCalls& one : sites) {
    const auto parts = parts_of(one);
    names = strings_of(parts, [](const auto& part) { return part.first; });
    for (const auto& [part, seconds] : parts) {
      table.rows.push_back({one.name, one.site, part, time_on_page(seconds),
                            share_on_page(share_of(seconds, whole))});
    }
  }
  Picture picture{.id = "places",
                  .title = share_text(sites.front().sums.seconds / whole) +
                           " of the run is spent in " + inert(sites.front().name),
                  .caption = "Places in the code that call MPI, of the time that all ranks ran.",
                  .table = std::move(table),
                  .launches = source.launches,
                  .command = source.command + " --all"};
  if (sites.front().waits) picture.caption += " Parts by a replay of the log (docs/profile.md).";
  Json values = values_of(picture.table);
  number_parts(values, names);
  Json layers =
      stacked_bars(share_channel("run_fraction", "part of the run"), name_axis(values), names);
  picture.plot =
      plot_of(picture.title, std::move(values), std::move(layers), height_of_bars(sites.size()));
  return {std::move(picture)};
}

}  // namespace

std::vector<Picture> call_pictures(const ProfileView& view, const ProgramSource& source) {
  std::vector<Picture> pictures = pictures_by_function(view, source);
  std::ranges::move(size_pictures(view, source), std::back_inserter(pictures));
  std::ranges::move(site_picture(view, source), std::back_inserter(pictures));
  return pictures;
}

}  // namespace hockney::report
