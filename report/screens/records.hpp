#pragma once

#include <span>

#include "core/record.hpp"
#include "core/statistics.hpp"
#include "report/screens/screen.hpp"

namespace hockney {

struct ScreenStyle {
  double level = default_level;  ///< of the intervals over launches
  bool blocks = false;           ///< whether characters of Unicode may draw
};

/// The screen of any records: guidelines, limits of the protocol, settings against each other, or
/// the curves of one setting, whichever these were made for. Its next steps are the caller's.
Screen screen_of(std::span<const Record> records, const ScreenStyle& style = {});

}  // namespace hockney
