#include "rows/prepared_data.hpp"

#include "rows/check_input.hpp"
#include "rows/find_coordinates.hpp"
#include "rows/shard.hpp"

namespace bkernn {

PreparedData prepare_data(const FitInput& input, const FitOptions& options, const Loss& loss) {
  check_input(input, options, loss);
  return prepare_data(input, distinct_rows(input, options), options, loss);
}

PreparedData prepare_data(const FitInput& input, const DistinctRows& rows,
                          const FitOptions& options, const Loss& loss) {
  Shard shard = make_shard(input, rows, loss);
  const Coordinates coordinates = find_coordinates(shard, options, loss, input.encoder, false);
  return {coordinates, shard.take_rows()};
}

}  // namespace bkernn
