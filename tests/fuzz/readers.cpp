#include "tests/fuzz/readers.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "components/tune/deciding.hpp"
#include "components/tune/open_mpi_rules.hpp"
#include "components/tune/other_library_rules.hpp"
#include "components/tune/verification.hpp"
#include "core/algorithm_use.hpp"
#include "core/json_values.hpp"
#include "core/point.hpp"
#include "core/quantities.hpp"
#include "core/record_file.hpp"
#include "core/settings.hpp"
#include "core/site_file.hpp"
#include "driver/campaign/config.hpp"
#include "driver/campaign/launch_command.hpp"
#include "driver/campaign/manifest.hpp"
#include "driver/campaign/verification_runs.hpp"
#include "driver/imports/suite_run.hpp"
#include "placement/machine.hpp"
#include "placement/topology.hpp"
#include "tests/fuzz/trials.hpp"
#include "verdicts/guidelines.hpp"
#include "verdicts/self_test.hpp"

namespace hockney::fuzz {
namespace {

Record record_of_json(const std::string& text) { return read_record(parse_json(text, "f")); }

void record_json(const std::string& bytes) { come_back(bytes, record_of_json, document<Record>); }

void record_cbor(const std::string& bytes) {
  const auto read = [](const std::string& cbor) { return read_record(parse_cbor(cbor, "f")); };
  come_back(bytes, read, document<Record>, record_of_json);
  come_back(bytes, read, [](const Record& record) {
    const std::vector<std::uint8_t> cbor = nlohmann::json::to_cbor(to_json(record));
    return std::string(cbor.begin(), cbor.end());
  });
}

void journal(const std::string& bytes) {
  const auto read = [](const std::string& text) {
    std::istringstream lines(text);
    return read_journal(lines, "f").value_or(Record{});
  };
  come_back(bytes, read, document<Record>, record_of_json);
}

void config(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return campaign::read_config(parse_json(text, "f")); },
      document<campaign::Config>);
}

void manifest(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return campaign::read_manifest(parse_json(text, "f")); },
      document<campaign::Manifest>);
}

void sites(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return read_sites(parse_json(text, "f")); },
      document<SiteFile>);
}

/// Whether a record can be read once it is written.
void must_be_readable(const Record& record) {
  try {
    read_record(parse_json(json_text(to_json(record)), "f"));
  } catch (const InputError& error) {
    throw std::logic_error(std::string("an imported record is refused: ") + error.what());
  }
}

/// What another suite printed.
template <auto read>
void printed(const std::string& bytes) {
  takes([&] {
    const imports::RunFacts facts{.ranks = 4, .operation = "allreduce"};
    std::vector<imports::FoundRun> found;
    for (const imports::SuiteRun& run : read({"f", bytes}, facts)) {
      found.push_back({.run = run, .file = found.size() % 2 == 0 ? "a/f" : "b/f"});
    }
    const imports::RunSettings settings = imports::settings_of(found, "s", true);
    for (std::size_t i = 0; i < found.size(); ++i) {
      must_be_readable(
          imports::record_of(found[i].run, "2026-03-01T12:34:56Z",
                             {.name = "a", .setting = settings.names[i], .launch = 1}));
    }
  });
}

void verification_run(const std::string& bytes) {
  takes([&] { read_verification(bytes, "f"); });
}

void algorithms(const std::string& bytes) { as_file(bytes, campaign::load_setting_algorithms); }

void variables(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return read_variables(parse_json(text, "f")); },
      document<std::vector<ControlVariable>>);
}

void self_test(const std::string& bytes) {
  come_back(
      bytes,
      [](const std::string& text) { return verdicts::read_self_test(parse_json(text, "f")); },
      document<verdicts::SelfTest>);
}

void guideline_baseline(const std::string& bytes) {
  takes([&] { verdicts::read_guideline_baseline(parse_json(bytes, "f")); });
}

void verification(const std::string& bytes) {
  takes([&] { tune::read_slower_sizes(bytes, "f"); });
}

void predictions(const std::string& bytes) {
  takes([&] { read_predicted(bytes, "f", tune::Target::openmpi); });
}

void open_mpi_rules(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return tune::read_open_mpi_rules(text, "f"); },
      [](const tune::Rules& rules) { return open_mpi_rules_file(rules, {}); });
}

void intel_adjustments(const std::string& bytes) {
  come_back(
      bytes,
      [](const std::string& text) {
        return tune::read_intel_adjust(tune::read_shell_file(text, "f"));
      },
      [](const tune::Rules& rules) { return tune::shell_file(intel_adjust(rules), {}); });
}

void shell_variables(const std::string& bytes) {
  come_back(
      bytes, [](const std::string& text) { return tune::read_shell_file(text, "f"); },
      [](const std::map<std::string, std::string>& variables) {
        return tune::shell_file(variables, {});
      });
}

void mpich_tree(const std::string& bytes) {
  for (const char* operation : {"bcast", "allreduce", "alltoall"}) {
    const tune::Rules rules{
        {operation,
         {{.from = 2, .measured = 4, .sizes = {{0, {.algorithm = "binomial"}}, {1024, {}}}},
          {.from = 8, .measured = 8, .sizes = {{0, {.algorithm = "reduce_scatter_allgather"}}}}}}};
    if (takes([&] { mpich_json(bytes, "f", rules); })) {
      parse_json(mpich_json(bytes, "f", rules), "f");
    }
  }
}

/// What hockney asks of a topology before hwloc reads it.
void topology(const std::string& bytes) {
  placement::xml_major_version(bytes);
  placement::xml_has_half_a_set(bytes);
  placement::synthetic_pu_count(bytes);
}

void program(const std::string& bytes) { as_file(bytes, campaign::read_elf_needs); }

/// Words of command lines and configs.
void words(const std::string& bytes) {
  takes([&] { parse_bytes(bytes); });
  takes([&] { parse_sizes(bytes); });
  takes([&] { parse_duration(bytes); });
  takes([&] { placement::parse_cpus(bytes); });
  if (takes([&] { parse_bytes(bytes); })) {
    const Bytes size = parse_bytes(bytes);
    if (parse_bytes(format_bytes(size)) != size) throw std::logic_error("another size");
  }
  const std::string name = parse_series_name(bytes).text();
  if (parse_series_name(name).text() != name) throw std::logic_error("another name");
}

}  // namespace

const std::vector<FuzzedReader>& fuzzed_readers() {
  static const std::vector<FuzzedReader> all{{"record_json", record_json},
                                             {"record_cbor", record_cbor},
                                             {"journal", journal},
                                             {"config", config},
                                             {"manifest", manifest},
                                             {"sites", sites},
                                             {"slurm_topology", slurm_topology},
                                             {"slurm_yaml", slurm_yaml},
                                             {"slurm_address", slurm_address},
                                             {"ibnetdiscover", ibnetdiscover},
                                             {"guid_lines", guid_lines},
                                             {"lldp", lldp},
                                             {"lldp_lines", lldp_lines},
                                             {"cray", cray},
                                             {"osu", printed<imports::read_osu>},
                                             {"imb", printed<imports::read_imb>},
                                             {"nccl", printed<imports::read_nccl>},
                                             {"witness", verification_run},
                                             {"algorithms", algorithms},
                                             {"variables", variables},
                                             {"self_test", self_test},
                                             {"guideline_baseline", guideline_baseline},
                                             {"verification", verification},
                                             {"predictions", predictions},
                                             {"open_mpi_rules", open_mpi_rules},
                                             {"intel_adjustments", intel_adjustments},
                                             {"shell_variables", shell_variables},
                                             {"mpich_tree", mpich_tree},
                                             {"topology", topology},
                                             {"program", program},
                                             {"profile", profile_of_program},
                                             {"profile_part", profile_part},
                                             {"words", words}};
  return all;
}

}  // namespace hockney::fuzz
