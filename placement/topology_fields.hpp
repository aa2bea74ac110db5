#pragma once

#include "core/json_fields.hpp"
#include "placement/topology.hpp"

namespace hockney::placement {

/// The fields of a PU in documents; missing groups are null.
constexpr auto fields_of(std::type_identity<Pu>) {
  return object_of(key("os_cpu", &Pu::os_cpu), key("core", &Pu::core), key("l2", &Pu::l2),
                   key("l3", &Pu::l3), key("numa", &Pu::numa), key("package", &Pu::package),
                   key("kind", &Pu::kind));
}

}  // namespace hockney::placement
