#pragma once

#include <map>
#include <string>

namespace hockney {

/// Where on axes something lies, to follow its name: ", at algorithm=4,segment=8192"; "" for none.
std::string places_text(const std::map<std::string, std::string>& places);

}  // namespace hockney
