#include "report/places_text.hpp"

#include "core/inert_text.hpp"
#include "core/names.hpp"

namespace hockney {

std::string places_text(const std::map<std::string, std::string>& places) {
  return places.empty() ? "" : ", at " + inert(join_assignments(places));
}

}  // namespace hockney
