#pragma once

#include <string>

#include "campaign/witnesses.hpp"

namespace hockney {

/// The document `hockney.algorithms/1`: what the witness of a setting found.
void save_witness(const std::string& setting, const SettingWitness& witness,
                  const std::string& file);

/// Strict, as records are.
SettingWitness load_witness(const std::string& file);

}  // namespace hockney
