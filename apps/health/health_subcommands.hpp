#pragma once

#include "cli/action.hpp"

namespace hockney {

// Each adds one command to `hockney health`: apps/health/health_<name>.cpp.
void add_health_ingest(CLI::App& health, Action& chosen);
void add_health_forget(CLI::App& health, Action& chosen);
void add_health_check(CLI::App& health, Action& chosen);
void add_health_calibrate(CLI::App& health, Action& chosen);
void add_health_note(CLI::App& health, Action& chosen);
void add_health_accept(CLI::App& health, Action& chosen);
void add_health_maintenance(CLI::App& health, Action& chosen);
void add_health_list(CLI::App& health, Action& chosen);
void add_health_export(CLI::App& health, Action& chosen);
void add_health_import(CLI::App& health, Action& chosen);

}  // namespace hockney
