#pragma once

#include <string>

#include "verdicts/multiplicity.hpp"

namespace hockney::verdicts {

// What users say of verdicts, as every subcommand spells it. InputError names the option.

/// --alpha: the chance of a false alarm, above 0 and at most 0.5.
double parse_alpha(const std::string& text);

/// A difference in per cent, "5%", as a fraction, 0 or more; `meaning` says of what.
double parse_margin(const std::string& option, const std::string& text, const std::string& meaning);

/// --correction: max-t, holm, bh or none.
Correction parse_correction(const std::string& text);

}  // namespace hockney::verdicts
