#include <mpi.h>
#include <algorithm>
#include <array>
#include <vector>

#include "tests/components/application/library/trap_self.hpp"

namespace hockney::profile {
namespace {

void blocking(Self& self) {
  std::array<double, 100> data{};
  std::array<double, 100> came{};
  // Every second rank first sends, with each mode; the buffer of Bsend is the program's own.
  std::vector<char> room(100000);
  MPI_Buffer_attach(room.data(), static_cast<int>(room.size()));
  self.ledger.call("Buffer_attach");
  MPI_Request request{};
  MPI_Irecv(came.data(), 100, MPI_DOUBLE, self.left(), 1, MPI_COMM_WORLD, &request);
  MPI_Send(data.data(), 7, MPI_DOUBLE, self.right(), 1, MPI_COMM_WORLD);
  self.ledger.send("Send", self.right(), 56);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  self.ledger.call("Irecv", 56);  // shorter than posted
  self.ledger.call("Wait");
  MPI_Irecv(came.data(), 100, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Ssend(data.data(), 3, MPI_DOUBLE, self.right(), 2, MPI_COMM_WORLD);
  self.ledger.send("Ssend", self.right(), 24);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  self.ledger.call("Irecv", 24);
  self.ledger.call("Wait");
  MPI_Bsend(data.data(), 2, MPI_DOUBLE, self.right(), 3, MPI_COMM_WORLD);
  self.ledger.send("Bsend", self.right(), 16);
  MPI_Status status;
  status.MPI_ERROR = 77;
  MPI_Recv(came.data(), 100, MPI_DOUBLE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
  self.ledger.call("Recv", 16);
  require(status.MPI_SOURCE == self.left() && status.MPI_TAG == 3, "a status is wrong");
  MPI_Recv(came.data(), 100, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  self.ledger.call("Recv");
  MPI_Send(data.data(), 100, MPI_DOUBLE, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  self.ledger.call("Send");
  void* gone = nullptr;
  int length = 0;
  MPI_Buffer_detach(&gone, &length);
  self.ledger.call("Buffer_detach");
  require(gone == room.data(), "MPI_Buffer_detach gives another buffer");
}

void exchanges(Self& self) {
  std::array<int, 10> data{};
  data.fill(self.rank);
  std::array<int, 20> came{};
  MPI_Sendrecv(data.data(), 10, MPI_INT, self.right(), 4, came.data(), 20, MPI_INT, self.left(), 4,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  self.ledger.send("Sendrecv", self.right(), 40);
  require(came[9] == self.left(), "MPI_Sendrecv delivers something else");
  MPI_Sendrecv_replace(data.data(), 10, MPI_INT, self.left(), 5, self.right(), 5, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  self.ledger.send("Sendrecv_replace", self.left(), 40);
  // A chain: the last sends to nobody, the first receives from nobody.
  const int next = self.rank + 1 < self.size ? self.rank + 1 : MPI_PROC_NULL;
  const int before = self.rank > 0 ? self.rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(data.data(), 1, MPI_INT, next, 6, came.data(), 1, MPI_INT, before, 6, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  self.ledger.call("Sendrecv", next == MPI_PROC_NULL ? 0 : 4);
  if (next != MPI_PROC_NULL) self.ledger.message(next, 4);
}

/// Handles of eager sends are shared, those of completed receives are null.
void many_requests(Self& self) {
  constexpr int number = 1000;
  std::vector<char> data(number, 'x');
  std::vector<char> came(number);
  std::vector<MPI_Request> requests(2 * std::size_t{number});
  for (int i = 0; i < number; ++i) {
    MPI_Irecv(&came[static_cast<std::size_t>(i)], 1, MPI_CHAR, self.left(), 10 + i, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(i)]);
    self.ledger.call("Irecv", 1);
  }
  for (int i = 0; i < number; ++i) {
    MPI_Isend(&data[static_cast<std::size_t>(i)], 1, MPI_CHAR, self.right(), 10 + i, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(number + i)]);
    self.ledger.send("Isend", self.right(), 1);
  }
  MPI_Waitall(2 * number, requests.data(), MPI_STATUSES_IGNORE);
  self.ledger.call("Waitall");
  require(std::ranges::count(came, 'x') == number, "MPI_Waitall did not wait for all");
}

/// Receives of 1, 2, ... ints are completed by every function there is.
class Completions {
 public:
  explicit Completions(Self& self) : self_(self) {}

  void begin() {
    for (int i = 0; i < number; ++i) {
      const auto at = static_cast<std::size_t>(i);
      MPI_Irecv(came_[at].data(), number, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD,
                &requests_[at]);
      self_.ledger.call("Irecv", 4 * (i + 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    self_.ledger.call("Barrier");
    for (int i = 0; i < number; ++i) {
      MPI_Send(data_.data(), i + 1, MPI_INT, self_.right(), i, MPI_COMM_WORLD);
      self_.ledger.send("Send", self_.right(), 4 * (i + 1));
    }
  }

  void wait_any() {
    for (int i = 0; i < number; ++i) {
      int index = -1;
      MPI_Status status;
      MPI_Waitany(number, requests_.data(), &index, i % 2 == 0 ? MPI_STATUS_IGNORE : &status);
      self_.ledger.call("Waitany");
      if (i % 2 != 0) require(status.MPI_TAG == index, "MPI_Waitany gives another status");
    }
    int index = 0;
    MPI_Waitany(number, requests_.data(), &index, MPI_STATUS_IGNORE);
    self_.ledger.call("Waitany");
    require(index == MPI_UNDEFINED, "MPI_Waitany finds one where none is left");
  }

  void wait_some() {
    std::array<int, number> indices{};
    std::array<MPI_Status, number> statuses{};
    for (int done = 0; done < number;) {
      int complete = 0;
      MPI_Waitsome(number, requests_.data(), &complete, indices.data(),
                   done % 2 == 0 ? statuses.data() : MPI_STATUSES_IGNORE);
      self_.ledger.call("Waitsome");
      done += complete;
    }
  }

  void test() {
    for (MPI_Request& request : requests_) {
      for (int flag = 0; flag == 0;) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        self_.ledger.call("Test");
      }
    }
  }
  void test_all() {
    for (int flag = 0; flag == 0;) {
      MPI_Testall(number, requests_.data(), &flag, MPI_STATUSES_IGNORE);
      self_.ledger.call("Testall");
    }
  }
  void test_any() {
    for (int done = 0; done < number;) {
      int flag = 0;
      int index = 0;
      MPI_Testany(number, requests_.data(), &index, &flag, MPI_STATUS_IGNORE);
      self_.ledger.call("Testany");
      done += flag;
    }
  }
  void test_some() {
    std::array<int, number> indices{};
    for (int done = 0; done < number;) {
      int complete = 0;
      MPI_Testsome(number, requests_.data(), &complete, indices.data(), MPI_STATUSES_IGNORE);
      self_.ledger.call("Testsome");
      done += complete;
    }
  }

 private:
  static constexpr int number = 8;

  Self& self_;
  std::array<int, number> data_{};
  std::array<std::array<int, number>, number> came_{};
  std::array<MPI_Request, number> requests_{};
};

void persistent(Self& self) {
  constexpr int starts = 5;
  std::array<MPI_Request, 2> requests{};
  std::array<double, 4> data{};
  std::array<double, 8> came{};
  MPI_Recv_init(came.data(), 8, MPI_DOUBLE, self.left(), 30, MPI_COMM_WORLD, requests.data());
  MPI_Send_init(data.data(), 4, MPI_DOUBLE, self.right(), 30, MPI_COMM_WORLD, &requests[1]);
  self.ledger.call("Recv_init");
  self.ledger.call("Send_init");
  for (int i = 0; i < starts; ++i) {
    MPI_Start(requests.data());
    MPI_Start(&requests[1]);
    self.ledger.call("Start", 32);  // of the receive, when it is complete
    self.ledger.send("Start", self.right(), 32);
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
    self.ledger.call("Waitall");
  }
  for (int i = 0; i < starts; ++i) {
    MPI_Startall(2, requests.data());
    self.ledger.call("Startall");
    self.ledger.message(self.right(), 32);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(requests.data(), MPI_STATUS_IGNORE);
    self.ledger.call("Wait", 0, 2);
  }
  for (MPI_Request& request : requests) {
    MPI_Request_free(&request);
    self.ledger.call("Request_free");
    require(request == MPI_REQUEST_NULL, "MPI_Request_free leaves a handle");
  }
}

void cancelled(Self& self) {
  int data = 0;
  MPI_Request request{};
  MPI_Irecv(&data, 1, MPI_INT, self.left(), 40, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  int flag = 0;
  MPI_Test_cancelled(&status, &flag);
  require(flag != 0, "a cancelled receive is complete");
  self.ledger.call("Irecv");
  self.ledger.call("Cancel");
  self.ledger.call("Wait");
}

void probed(Self& self) {
  std::array<int, 6> data{};
  std::array<int, 6> came{};
  MPI_Request request{};
  MPI_Isend(data.data(), 6, MPI_INT, self.right(), 50, MPI_COMM_WORLD, &request);
  self.ledger.send("Isend", self.right(), 24);
  MPI_Status status;
  for (int flag = 0; flag == 0;) {
    MPI_Iprobe(MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &flag, &status);
    self.ledger.call("Iprobe");
  }
  MPI_Recv(came.data(), 6, MPI_INT, status.MPI_SOURCE, 50, MPI_COMM_WORLD, &status);
  self.ledger.call("Recv", 24);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  self.ledger.call("Wait");

#if !defined(HOCKNEY_SIMULATED_PROFILE)  // it has no matched probes
  MPI_Isend(data.data(), 5, MPI_INT, self.right(), 51, MPI_COMM_WORLD, &request);
  self.ledger.send("Isend", self.right(), 20);
  MPI_Message message{};
  MPI_Mprobe(MPI_ANY_SOURCE, 51, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(came.data(), 6, MPI_INT, &message, MPI_STATUS_IGNORE);
  self.ledger.call("Mprobe");
  self.ledger.call("Mrecv", 20);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  self.ledger.call("Wait");

  MPI_Isend(data.data(), 4, MPI_INT, self.right(), 52, MPI_COMM_WORLD, &request);
  self.ledger.send("Isend", self.right(), 16);
  MPI_Probe(self.left(), 52, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  self.ledger.call("Probe");
  MPI_Mprobe(self.left(), 52, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  self.ledger.call("Mprobe");
  MPI_Request receive{};
  MPI_Imrecv(came.data(), 6, MPI_INT, &message, &receive);
  self.ledger.call("Imrecv", 16);
  MPI_Wait(&receive, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  self.ledger.call("Wait", 0, 2);
#endif
}

}  // namespace

void trap_messages(Self& self) {
  blocking(self);
  exchanges(self);
  many_requests(self);
  Completions completions(self);
  for (const auto complete :
       {&Completions::wait_any, &Completions::wait_some, &Completions::test, &Completions::test_all,
        &Completions::test_any, &Completions::test_some}) {
    completions.begin();
    (completions.*complete)();
    MPI_Barrier(MPI_COMM_WORLD);  // the next round's receives are from anybody
    self.ledger.call("Barrier");
  }
  persistent(self);
  cancelled(self);
  probed(self);
}

}  // namespace hockney::profile
