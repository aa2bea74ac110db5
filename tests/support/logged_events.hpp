#pragma once

#include <string>
#include <vector>

#include "components/application/profile/event_log.hpp"

namespace hockney::profile {

/// All events of a part, in order.
inline std::vector<Event> events_of(const Part& part, const std::string& file) {
  std::vector<Event> events;
  EventReader reader(part, file);
  for (Event event; reader.read(event);) events.push_back(event);
  return events;
}

}  // namespace hockney::profile
