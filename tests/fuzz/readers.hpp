#pragma once

#include <string>
#include <vector>

namespace hockney::fuzz {

/// A reader of what others wrote. `run` gives it any bytes and returns when it took or refused them
/// as it should: by returning or by one of hockney's own errors; and what it took, when written, is
/// read again as the same. Any other exception is a defect.
struct FuzzedReader {
  std::string name;  ///< of its folders in tests/fuzz/corpus and tests/fuzz/crashes
  void (*run)(const std::string& bytes);
};

/// A profile; what is read is also reported, whatever its numbers are.
// Of networks: what they read is a site file that can be read again.
void slurm_topology(const std::string& bytes);
void slurm_yaml(const std::string& bytes);
void guid_lines(const std::string& bytes);
void slurm_address(const std::string& bytes);
void ibnetdiscover(const std::string& bytes);
void lldp(const std::string& bytes);
void lldp_lines(const std::string& bytes);
void cray(const std::string& bytes);

void profile_of_program(const std::string& bytes);
/// What ranks leave that end otherwise than in MPI_Finalize, and the profile that it makes.
void profile_part(const std::string& bytes);

/// One for each reader.
const std::vector<FuzzedReader>& fuzzed_readers();

}  // namespace hockney::fuzz
