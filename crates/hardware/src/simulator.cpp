// The exported hardware as a process: register accesses come in on standard input, answers go out.
//   w ADDRESS VALUE   writes a word (both hexadecimal)
//   r ADDRESS         reads a word
//   i                 lets the clock run until the hardware is idle
#include <cstdio>

#include "Vplayout.h"
#include "verilated.h"

double sc_time_stamp() { return 0; }

static Vplayout hardware;

static void tick() {
  hardware.clk = 0;
  hardware.eval();
  hardware.clk = 1;
  hardware.eval();
}

int main() {
  hardware.write = 0;
  hardware.address = 0;
  hardware.reset = 1;
  tick();
  tick();
  hardware.reset = 0;
  char kind;
  unsigned address, value;
  while (std::scanf(" %c", &kind) == 1) {
    if (kind == 'w' && std::scanf("%x %x", &address, &value) == 2) {
      hardware.address = address;
      hardware.write_data = value;
      hardware.write = 1;
      tick();
      hardware.write = 0;
    } else if (kind == 'r' && std::scanf("%x", &address) == 1) {
      hardware.address = address;
      tick();
      std::printf("%08x\n", static_cast<unsigned>(hardware.read_data));
      std::fflush(stdout);
    } else if (kind == 'i') {
      while (hardware.busy) tick();
      std::printf("00000000\n");
      std::fflush(stdout);
    } else {
      return 1;
    }
  }
  return 0;
}
