#pragma once

#include <map>
#include <string>
#include <vector>

namespace hockney {

/// Lines `export NAME='value'` for a shell to source, after the comments; the last of these is the
/// same as the `environment` of a campaign.
std::string shell_file(const std::map<std::string, std::string>& environment,
                       const std::vector<std::string>& comments);

/// The variables of such a file. InputError naming file and line for any other line.
std::map<std::string, std::string> read_shell_file(const std::string& text,
                                                   const std::string& file);

}  // namespace hockney
