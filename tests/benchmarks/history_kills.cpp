// Kills `hockney health ingest` again and again, each time later, and looks at what is left: the
// history must be whole, and ingesting again must lead to what an undisturbed one leads to. Exit
// code 1 when it does not. tests/components/health/app/health_test.cpp has a short form.

#include <iostream>

#include "tests/support/killed_ingest.hpp"

using namespace hockney;

int main(int argc, char** argv) {
  try {
    const int kills = argc > 1 ? std::stoi(argv[1]) : 20;
    const KillStudy study = study_kills(HOCKNEY_BINARY_DIR "/bin/hockney", kills);
    std::cout << study.killed << " of " << kills << " ingests were killed, with "
              << study.fewest_nights << " to " << study.most_nights << " of " << study.nights
              << " nights in the history; " << study.damaged << " histories damaged, "
              << study.different << " different after ingesting again\n";
    return study.damaged + study.different == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 3;
  }
}
