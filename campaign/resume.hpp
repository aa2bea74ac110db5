#pragma once

#include <optional>
#include <string>

#include "campaign/folder.hpp"
#include "campaign/launch_records.hpp"
#include "campaign/manifest.hpp"
#include "campaign/request.hpp"

namespace hockney::campaign {

/// Removes what writes of `file` left that never came to their rename.
void remove_temporaries(const std::string& file);

/// Clears away what an attempt that did not complete left among the records, and keeps what it had
/// measured: an unfinished record, or what its journal holds, as <remains>.json; a file that cannot
/// be read as <remains>.unreadable. Returns the record it kept. With a complete record in place
/// only leftovers beside it are removed. `launch` is the record of the launch `name`.
std::optional<std::string> salvage(const Folder& folder, const std::string& name, int attempt,
                                   LaunchRecord& launch);

/// The manifest of the campaign in the folder, with what the request says of when to stop.
/// InputError when the config, the ranks or the seed differ from those of the campaign.
Manifest manifest_to_resume(const Request& request, const Folder& folder);

/// The manifest a campaign starts from: a fresh one, or that of the folder when it is to be
/// resumed. The folder must be locked. InputError when the folder is used and `resume` is not set,
/// or when the config, the ranks or the seed differ from those of the campaign in the folder. A
/// driver that was killed leaves an attempt `running`; it is closed here and its remains kept.
Manifest open_manifest(const Request& request, const Folder& folder, LaunchRecords& records);

}  // namespace hockney::campaign
