#pragma once

#include "core/cli/command_line.hpp"

namespace hockney::health {

// Each function adds one command to `hockney health`: components/health/app/health_<name>.cpp.
void add_health_ingest(CommandLine& health, Action& chosen);
void add_health_forget(CommandLine& health, Action& chosen);
void add_health_check(CommandLine& health, Action& chosen);
void add_health_calibrate(CommandLine& health, Action& chosen);
void add_health_note(CommandLine& health, Action& chosen);
void add_health_accept(CommandLine& health, Action& chosen);
void add_health_maintenance(CommandLine& health, Action& chosen);
void add_health_rename(CommandLine& health, Action& chosen);
void add_health_list(CommandLine& health, Action& chosen);
void add_health_reference(CommandLine& health, Action& chosen);
void add_health_node(CommandLine& health, Action& chosen);

}  // namespace hockney::health
