#include <catch2/catch.hpp>
#include <filesystem>

#include "core/atomic_file.hpp"
#include "core/provenance.hpp"
#include "core/record_fields.hpp"
#include "core/record_file.hpp"
#include "tests/support/example_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace hockney {
namespace {

using Words = std::vector<std::string>;

/// Has secrets in all places that a record has for variables and words.
Record record_with_secrets() {
  Record record = example_record();
  record.provenance.command_line = {"hockney-pingpong", "--password=hunter2", "-b", "8"};
  record.provenance.environment = {{"HOCKNEY_API_TOKEN", "hunter2"},
                                   {"HOCKNEY_PROXY", "http://me:hunter2@host"},
                                   {"OMPI_MCA_mca_base_env_list", "A=1;A_TOKEN=hunter2"},
                                   {"UCX_TLS", "tcp"}};
  record.provenance.mpi.settings = {{"btl_x_key", "hunter2"}, {"btl_y", "4"}};
  record.provenance.mpi.requested = {{.variable = "OMPI_MCA_btl_x_key",
                                      .requested = "hunter2",
                                      .effective = "hunter23",
                                      .proof = Proof::ignored,
                                      .reason = "'hunter23' is effective"},
                                     {.variable = "OMPI_MCA_btl_z",
                                      .requested = "http://me:hunter2@a",
                                      .effective = "http://me:hunter2@b",
                                      .proof = Proof::ignored,
                                      .reason = "'http://me:hunter2@b' is effective"}};
  return record;
}

void check_kept(const Record& record) {
  CHECK(record.provenance.command_line == Words{"hockney-pingpong", "--password=set", "-b", "8"});
  CHECK(record.provenance.environment.at("HOCKNEY_API_TOKEN") == "set");
  CHECK(record.provenance.environment.at("HOCKNEY_PROXY") == "http://me:set@host");
  CHECK(record.provenance.environment.at("OMPI_MCA_mca_base_env_list") == "A=1;A_TOKEN=set");
  CHECK(record.provenance.environment.at("UCX_TLS") == "tcp");
  CHECK(record.provenance.mpi.settings.at("btl_x_key") == "set");
  CHECK(record.provenance.mpi.settings.at("btl_y") == "4");
  const RequestedSetting& setting = record.provenance.mpi.requested.front();
  CHECK(setting.requested == "set");
  CHECK(setting.effective == "set");
  CHECK(setting.reason == "another value is effective");
  const RequestedSetting& url = record.provenance.mpi.requested.back();
  CHECK(url.requested == "http://me:set@a");
  CHECK(url.reason == "another value is effective");
}

}  // namespace

TEST_CASE("names of secrets are told by their ends") {
  for (const char* name : {"API_TOKEN", "api_token", "MY_SECRET", "AWS_SECRET_ACCESS_KEY", "apikey",
                           "DB_PASSWORD", "DB_PASSWD", "PSM2_UUID", "FI_OPX_UUID", "X_CREDENTIAL",
                           "X_CREDENTIALS", "SLURM_JWT", "--password", "SSL_PASSPHRASE", "Key"}) {
    INFO(name);
    CHECK(is_secret(name));
  }
  for (const char* name : {"", "UCX_TLS", "KEYS", "DB_PASSWORD_FILE", "AWS_ACCESS_KEY_ID", "token_",
                           "PWD", "OMPI_MCA_btl", "--keyboard", "UCX_IB_PKEY"}) {
    INFO(name);
    CHECK_FALSE(is_secret(name));
  }
}

TEST_CASE("command lines keep no secrets") {
  const std::vector<std::pair<Words, Words>> lines{
      {{"./app", "--password=hunter2", "--size=8"}, {"./app", "--password=set", "--size=8"}},
      {{"./app", "--token", "hunter2", "8"}, {"./app", "--token", "set", "8"}},
      {{"./app", "--token", "-hunter2", "--size"}, {"./app", "--token", "set", "--size"}},
      {{"./app", "--token"}, {"./app", "--token"}},
      {{"./app", "token", "8"}, {"./app", "token", "8"}},
      {{"./monkey", "8"}, {"./monkey", "8"}},
      {{"mpirun", "-x", "A_TOKEN=hunter2", "-x", "B=1"},
       {"mpirun", "-x", "A_TOKEN=set", "-x", "B=1"}},
      {{"mpirun", "-x", "A_TOKEN", "-n", "2"}, {"mpirun", "-x", "A_TOKEN", "-n", "2"}},
      {{"mpiexec", "-genv", "A_SECRET", "hunter2", "-n", "2"},
       {"mpiexec", "-genv", "A_SECRET", "set", "-n", "2"}},
      {{"mpiexec", "-env", "A", "1", "-env", "A_KEY", "hunter2"},
       {"mpiexec", "-env", "A", "1", "-env", "A_KEY", "set"}},
      {{"mpirun", "--mca", "x_key", "hunter2", "--mca", "btl", "self"},
       {"mpirun", "--mca", "x_key", "set", "--mca", "btl", "self"}},
      {{"srun", "--export=ALL,A_TOKEN=hunter2,B=1", "./app"},
       {"srun", "--export=ALL,A_TOKEN=set,B=1", "./app"}},
      {{"srun", "--export", "A_TOKEN=hunter2,B=1", "./app"},
       {"srun", "--export", "A_TOKEN=set,B=1", "./app"}},
      {{"env", "MY_SECRET=hunter2 and more", "./app"}, {"env", "MY_SECRET=set", "./app"}},
      {{"sh", "-c", "A=1 MY_SECRET='hunter2 x' ./app --token hunter2; ./b"},
       {"sh", "-c", "A=1 MY_SECRET=set ./app --token set; ./b"}},
      {{"sh", "-c", "exec sh -c 'A=1 B_KEY=hunter2 ./app'"},
       {"sh", "-c", "exec sh -c 'A=1 B_KEY=set ./app'"}},
      {{"sh", "-c", "A=\"./app --password=hunter2\" ./run"},
       {"sh", "-c", "A=\"./app --password=set\" ./run"}},
      {{"sh", "-c", "echo 'never ends"}, {"sh", "-c", "echo 'never ends"}},
      {{"./app", "https://me:hunter2@host:80/a", "ssh://me@host", "http://host:80/a@b"},
       {"./app", "https://me:set@host:80/a", "ssh://me@host", "http://host:80/a@b"}},
      {{"./app", "--proxy=http://me:h@unter2@a,https://you:hunter2@b"},
       {"./app", "--proxy=http://me:set@a,https://you:set@b"}},
      {{"sh", "-c", "git clone 'https://me:hunter2@host/a b' && ./app"},
       {"sh", "-c", "git clone 'https://me:set@host/a b' && ./app"}},
      {{"curl", "-H", "X-Auth-Token: hunter2", "-H", "authorization: bearer hunter2"},
       {"curl", "-H", "X-Auth-Token: set", "-H", "authorization: bearer set"}},
      {{"curl", "-H", "X-Auth-Token:1hunter2", "--header", "Accept:text"},
       {"curl", "-H", "X-Auth-Token:set", "--header", "Accept:text"}},
      {{"/usr/bin/curl", "-u", "me:hunter2", "--proxy-user", "me:1234", "-u", "me", "host:80"},
       {"/usr/bin/curl", "-u", "me:set", "--proxy-user", "me:set", "-u", "me", "host:80"}},
      {{"sh", "-c", "curl -u 'me:h 2' -H \"A-KEY:hunter2\" host && ./app"},
       {"sh", "-c", "curl -u 'me:set' -H \"A-KEY:set\" host && ./app"}},
      {{"docker", "run", "-u", "me:staff", "-u", "1000:1000"},
       {"docker", "run", "-u", "me:staff", "-u", "1000:1000"}},
      {{"mpirun", "-H", "monkey:2,turkey:2", "./app", "monkey:8080", "monkey:/data"},
       {"mpirun", "-H", "monkey:2,turkey:2", "./app", "monkey:8080", "monkey:/data"}},
      {{"env", "ARGUMENTS=--size=8", "ARGUMENTS=--token=hunter2", "LIST=A=1;B_KEY=hunter2;C=2"},
       {"env", "ARGUMENTS=--size=8", "ARGUMENTS=--token=set", "LIST=A=1;B_KEY=set;C=2"}},
      {{"", "=", "--=x", "-", "--", "'=", "'a b'=c", "://", "x://:@"},
       {"", "=", "--=x", "-", "--", "'=", "'a b'=c", "://", "x://:set@"}}};
  for (const auto& [given, kept] : lines) {
    CHECK(without_secrets(given) == kept);
    CHECK(without_secrets(kept) == kept);
  }
}

TEST_CASE("records and journals keep no secrets, and none are read from older ones") {
  const TemporaryFolder folder;
  const Record record = record_with_secrets();
  for (const std::string name : {"record.json", "record.cbor"}) {
    const std::string file = folder.path() + "/" + name;
    save_record(record, file);
    CHECK(read_file(file).find("hunter2") == std::string::npos);
    check_kept(load_record(file));
  }
  Journal journal(folder.path() + "/launch.json", record);
  const std::string text = read_file(journal_name(folder.path() + "/launch.json"));
  CHECK(text.find("HOCKNEY_API_TOKEN") != std::string::npos);
  CHECK(text.find("hunter2") == std::string::npos);
  nlohmann::json old = to_json(example_record());
  old["schema"] = former_record_schema;
  old["provenance"]["command_line"] = record.provenance.command_line;
  old["provenance"]["environment"] = record.provenance.environment;
  old["provenance"]["mpi"]["settings"] = record.provenance.mpi.settings;
  old["provenance"]["mpi"]["asked"] = {{{"variable", "OMPI_MCA_btl_x_key"},
                                        {"value", "hunter2"},
                                        {"in_force", "hunter23"},
                                        {"proof", "ignored"},
                                        {"reason", "'hunter23' is in force"}},
                                       {{"variable", "OMPI_MCA_btl_z"},
                                        {"value", "http://me:hunter2@a"},
                                        {"in_force", "http://me:hunter2@b"},
                                        {"proof", "ignored"},
                                        {"reason", "'http://me:hunter2@b' is in force"}}};
  old["provenance"]["mpi"].erase("requested");
  REQUIRE(old.dump().find("hunter2") != std::string::npos);
  check_kept(read_record(parse_json(old.dump(), "old.json")));
}

TEST_CASE("a private file is for its owner alone") {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/private";
  using std::filesystem::perms;
  for (int time = 0; time < 2; ++time) {
    write_atomically(file, "hunter2", Readers::owner);
    CHECK(std::filesystem::status(file).permissions() == (perms::owner_read | perms::owner_write));
  }
  std::filesystem::permissions(file, perms::owner_all | perms::others_read);
  write_atomically(file, "hunter2", Readers::owner);
  CHECK(std::filesystem::status(file).permissions() == (perms::owner_read | perms::owner_write));
}

}  // namespace hockney
