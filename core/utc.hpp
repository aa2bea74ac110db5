#pragma once

#include <string>

namespace hockney {

/// Now, as "2026-03-01T12:34:56Z" (ISO 8601).
std::string utc_now();

/// Now, as "20260301T123456Z", fit for file names.
std::string utc_stamp();

}  // namespace hockney
