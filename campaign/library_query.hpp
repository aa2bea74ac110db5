#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/config.hpp"
#include "campaign/request.hpp"

namespace hockney::campaign {

/// Asks the MPI library of a campaign's program, at most once: hockney-settings, beside the
/// program, is launched as the program would be, on as many ranks (components that a job does not
/// need show no variables). What Intel MPI does not show there is looked up with the impi_info
/// beside its launcher. InputError for a variable there is not; RunError when the library cannot be
/// asked.
class LibraryQuery {
 public:
  /// `request` must outlive the query.
  explicit LibraryQuery(const Request& request) : request_(&request) {}

  ControlVariable operator()(const std::string& variable);

  /// How long asking takes: what a launch does beside measuring. nullopt where no hockney-settings
  /// lies beside the program, or it fails.
  std::optional<Seconds> duration();

 private:
  void ask();

  const Request* request_;
  std::optional<std::vector<ControlVariable>> variables_;
  Seconds duration_{};
};

/// Gives the request's config its settings: those of the campaign that is resumed, whose library
/// was asked when it began and whose combinations were drawn, or fresh ones. A seed that draws them
/// and was not given is drawn now, but for a dry run. Where there is a budget and nothing to
/// resume, what a launch costs is found out, too.
void settle_request(Request& request, bool dry_run);

}  // namespace hockney::campaign
