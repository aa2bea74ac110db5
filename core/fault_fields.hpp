#pragma once

#include "core/faults.hpp"
#include "core/json_fields.hpp"

namespace hockney {

/// The keys of a finding, for documents that have them beside others in one object.
constexpr auto fields_of(std::type_identity<FaultFinding>) {
  return object_of(key("fault", &FaultFinding::fault), key("points", &FaultFinding::points),
                   key("launches", &FaultFinding::launches),
                   key("of_launches", &FaultFinding::of_launches),
                   key("first", &FaultFinding::first), key("detail", &FaultFinding::detail));
}

}  // namespace hockney
