#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::health {

// Each adds one command to `hockney health`: health/app/health_<name>.cpp.
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

}  // namespace hockney::health
