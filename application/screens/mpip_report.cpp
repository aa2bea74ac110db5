#include <algorithm>
#include <iomanip>
#include <sstream>

#include "core/text.hpp"
#include "application/screens/profile_report.hpp"
#include "report/table.hpp"

// The layout is that of mpiP's user guide (LLNL). What a profile does not hold, such as the times
// of each task at a call site, is "-" or left to the line of all tasks, "*".

namespace hockney::report {
namespace {

using applications::share_of;
using applications::SiteCalls;

constexpr std::size_t ruler_width = 75;
constexpr std::size_t most_rows = 20;
constexpr double milliseconds = 1e3;

void print_section(std::ostream& out, const std::string& title) {
  const std::string ruler(ruler_width, '-');
  std::string line = "@--- " + title + " ";
  if (line.size() < ruler_width) line.resize(ruler_width, '-');
  out << ruler << '\n' << line << '\n' << ruler << '\n';
}

/// Cells at the right ends of columns of these widths, the first at the left; one blank between.
void print_row(std::ostream& out, const std::vector<std::pair<std::string, int>>& cells) {
  std::ostringstream line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line << (i == 0 ? std::left : std::right) << (i == 0 ? "" : " ") << std::setw(cells[i].second)
         << cells[i].first;
  }
  out << line.str() << '\n';
}

std::string three(double value) { return significant(value, 3); }

std::string percent(double part, double whole) {
  const auto share = share_of(part, whole);
  return share ? fixed_text(per_cent * *share, 2) : "-";
}

/// Without "MPI_", as mpiP names them.
std::string short_name(const std::string& call) {
  return inert(call.starts_with("MPI_") ? call.substr(4) : call);
}

void print_header(std::ostream& out, const ProfileView& view) {
  const profile::Profile& profile = view.profile;
  out << "@ mpiP\n@ Command : " << inert(join(profile.provenance.command_line, " ")) << '\n'
      << "@ Version                  : hockney.profile/1, by hockney profile show --mpip\n"
      << "@ MPI Library              : " << inert(profile.provenance.mpi.library) << '\n'
      << "@ Report written           : " << inert(profile.written_utc) << '\n';
  for (const profile::Rank& rank : profile.ranks) {
    out << "@ MPI Task Assignment      : " << rank.rank << ' ' << inert(rank.host) << '\n';
  }
  out << '\n';
}

double mpi_of(const profile::Rank& rank) { return rank.mpi_seconds + rank.mpi_io_seconds; }

/// Of all tasks [s].
struct Totals {
  double app = 0;
  double mpi = 0;
};

Totals totals_of(const profile::Profile& profile) {
  Totals totals;
  for (const profile::Rank& rank : profile.ranks) {
    totals.app += rank.seconds;
    totals.mpi += mpi_of(rank);
  }
  return totals;
}

void print_tasks(std::ostream& out, const profile::Profile& profile, const Totals& totals) {
  print_section(out, "MPI Time (seconds)");
  out << "Task    AppTime    MPITime     MPI%\n";
  const auto print = [&](const std::string& task, double app, double mpi) {
    std::ostringstream line;
    line << std::setw(4) << task << ' ' << std::setw(10) << three(app) << ' ' << std::setw(10)
         << three(mpi) << ' ' << std::setw(8) << percent(mpi, app);
    out << line.str() << '\n';
  };
  for (const profile::Rank& rank : profile.ranks) {
    print(std::to_string(rank.rank), rank.seconds, mpi_of(rank));
  }
  print("*", totals.app, totals.mpi);
}

/// A call site with the number that the report gives it.
struct NumberedSite {
  std::string number;
  SiteCalls calls;
};

std::vector<NumberedSite> numbered_sites(const ProfileView& view) {
  std::vector<NumberedSite> sites;
  for (SiteCalls& calls : applications::by_site(view.profile)) {
    sites.push_back({std::to_string(sites.size() + 1), std::move(calls)});
  }
  return sites;
}

/// File and line, or module and offset.
struct SitePlace {
  std::string file = "-";
  std::string line;
  std::string function = "[unknown]";
};

SitePlace place_of(const ProfileView& view, const std::optional<int>& site) {
  if (!site) return {};
  const auto index = static_cast<std::size_t>(*site);
  const SiteName name = index < view.site_names.size() ? view.site_names[index] : SiteName{};
  SitePlace place;
  const std::string& exported = view.profile.sites[index].function;
  const std::string function = name.function.empty() ? exported : name.function;
  if (!function.empty()) place.function = inert(function);
  const std::size_t colon = name.place.rfind(':');
  if (colon != std::string::npos) {
    place.file = inert(name.place.substr(0, colon));
    place.line = inert(name.place.substr(colon + 1));
  } else {
    std::ostringstream address;
    address << "0x" << std::hex << view.profile.sites[index].offset;
    place.file = address.str();
  }
  return place;
}

void print_sites(std::ostream& out, const ProfileView& view,
                 const std::vector<NumberedSite>& sites) {
  print_section(out, "Callsites: " + std::to_string(sites.size()));
  const auto print = [&](const std::string& number, const std::string& level, const SitePlace& at,
                         const std::string& call) {
    std::ostringstream line;
    line << std::setw(3) << number << ' ' << std::setw(3) << level << ' ' << std::left
         << std::setw(20) << at.file << ' ' << std::right << std::setw(8) << at.line << ' '
         << std::left << std::setw(24) << at.function << ' ' << call;
    out << line.str() << '\n';
  };
  print(" ID", "Lev", {"File/Address", "Line", "Parent_Funct"}, "MPI_Call");
  for (const NumberedSite& site : sites) {
    print(site.number, "0", place_of(view, site.calls.site), short_name(site.calls.call));
  }
}

void print_times(std::ostream& out, const std::vector<NumberedSite>& sites, const Totals& totals) {
  print_section(out, "Aggregate Time (top twenty, descending, milliseconds)");
  print_row(out, {{"Call", 20},
                  {"Site", 6},
                  {"Time", 10},
                  {"App%", 7},
                  {"MPI%", 7},
                  {"Count", 10},
                  {"COV", 6}});
  for (std::size_t i = 0; i < std::min(sites.size(), most_rows); ++i) {
    const applications::CallSums& sums = sites[i].calls.sums;
    print_row(out, {{short_name(sites[i].calls.call), 20},
                    {sites[i].number, 6},
                    {three(sums.seconds * milliseconds), 10},
                    {percent(sums.seconds, totals.app), 7},
                    {percent(sums.seconds, totals.mpi), 7},
                    {std::to_string(sums.volume.count), 10},
                    {"-", 6}});
  }
}

bool sends(const NumberedSite& site) {
  return site.calls.sums.volume.bytes > 0 && !applications::is_file_call(site.calls.call) &&
         applications::class_of(site.calls.call) != applications::CallClass::receive;
}

void print_sizes(std::ostream& out, std::vector<NumberedSite> sites) {
  print_section(out, "Aggregate Sent Message Size (top twenty, descending, bytes)");
  print_row(out,
            {{"Call", 20}, {"Site", 6}, {"Count", 10}, {"Total", 10}, {"Avrg", 10}, {"Sent%", 6}});
  std::erase_if(sites, [](const NumberedSite& site) { return !sends(site); });
  const auto bytes_of = [](const NumberedSite& site) { return site.calls.sums.volume.bytes; };
  std::ranges::stable_sort(sites, std::greater<>(), bytes_of);
  double whole = 0;
  for (const NumberedSite& site : sites) whole += static_cast<double>(bytes_of(site));
  for (std::size_t i = 0; i < std::min(sites.size(), most_rows); ++i) {
    const applications::Volume& volume = sites[i].calls.sums.volume;
    const auto bytes = static_cast<double>(volume.bytes);
    print_row(out, {{short_name(sites[i].calls.call), 20},
                    {sites[i].number, 6},
                    {std::to_string(volume.count), 10},
                    {std::to_string(volume.bytes), 10},
                    {significant(volume.mean_bytes(), 1, 3), 10},
                    {percent(bytes, whole), 6}});
  }
}

void print_time_statistics(std::ostream& out, const std::vector<NumberedSite>& sites,
                           const Totals& totals) {
  print_section(out,
                "Callsite Time statistics (all, milliseconds): " + std::to_string(sites.size()));
  print_row(out, {{"Name", 17},
                  {"Site", 4},
                  {"Rank", 4},
                  {"Count", 6},
                  {"Max", 8},
                  {"Mean", 8},
                  {"Min", 8},
                  {"App%", 6},
                  {"MPI%", 6}});
  for (const NumberedSite& site : sites) {
    const applications::CallSums& sums = site.calls.sums;
    const auto mean = share_of(sums.seconds, static_cast<double>(sums.volume.count));
    print_row(out, {{short_name(site.calls.call), 17},
                    {site.number, 4},
                    {"*", 4},
                    {std::to_string(sums.volume.count), 6},
                    {three(sums.max_seconds * milliseconds), 8},
                    {significant(mean, milliseconds, 3), 8},
                    {three(sums.min_seconds * milliseconds), 8},
                    {percent(sums.seconds, totals.app), 6},
                    {percent(sums.seconds, totals.mpi), 6}});
  }
}

void print_size_statistics(std::ostream& out, const std::vector<NumberedSite>& sites) {
  print_section(out, "Callsite Message Sent statistics (all, sent bytes)");
  print_row(out, {{"Name", 17},
                  {"Site", 4},
                  {"Rank", 4},
                  {"Count", 7},
                  {"Max", 9},
                  {"Mean", 9},
                  {"Min", 9},
                  {"Sum", 9}});
  for (const NumberedSite& site : sites) {
    if (!sends(site)) continue;
    const applications::Volume& volume = site.calls.sums.volume;
    print_row(out, {{short_name(site.calls.call), 17},
                    {site.number, 4},
                    {"*", 4},
                    {std::to_string(volume.count), 7},
                    {std::to_string(volume.max_bytes), 9},
                    {significant(volume.mean_bytes(), 1, 4), 9},
                    {std::to_string(volume.min_bytes), 9},
                    {std::to_string(volume.bytes), 9}});
  }
}

}  // namespace

void print_mpip_report(std::ostream& out, const ProfileView& view) {
  const Totals totals = totals_of(view.profile);
  const std::vector<NumberedSite> sites = numbered_sites(view);
  print_header(out, view);
  print_tasks(out, view.profile, totals);
  print_sites(out, view, sites);
  print_times(out, sites, totals);
  print_sizes(out, sites);
  print_time_statistics(out, sites, totals);
  print_size_statistics(out, sites);
  print_section(out, "End of Report");
}

}  // namespace hockney::report
