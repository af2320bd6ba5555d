#include "commands.hpp"

int main(int argc, char** argv) {
  return bkernn::cli::run(argc, argv);
}
