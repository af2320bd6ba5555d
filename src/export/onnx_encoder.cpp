#include "export/onnx_encoder.hpp"

#include <algorithm>
namespace bkernn {
namespace {

class OnnxEncoder {
 public:
  OnnxEncoder(OnnxGraph& graph, const Encoder& encoder) : graph_(graph), encoder_(encoder) {}

  std::string run(OnnxType type) {
    const Index words = std::count_if(encoder_.columns.begin(), encoder_.columns.end(),
                                      [](const EncodedColumn& one) { return one.category; });
    const Index numbers = encoder_.size() - words;
    if (numbers > 0) graph_.input("X", type, numbers);
    if (words > 0) graph_.input("words", OnnxType::text, words);
    if (numbers > 0) X_ = type == OnnxType::float64 ? "X" : wide("X");
    std::vector<std::string> parts;
    Index number = 0, word = 0;
    for (Index a = 0; a < encoder_.size(); ++a) {
      if (encoder_.columns[a].category) {
        parts.push_back(category(a, word++));
      } else {
        put_number(parts, encoder_.columns[a], number++);
      }
    }
    return graph_.node("Concat", parts, {{"axis", 1}});
  }

 private:
  std::string wide(const std::string& value) {
    return graph_.node("Cast", {value}, {{"to", static_cast<std::int64_t>(OnnxType::float64)}});
  }

  std::string column(const std::string& table, Index at) {
    return graph_.node("Gather", {table, graph_.integers({at}, {1})}, {{"axis", 1}});
  }

  void put_number(std::vector<std::string>& parts, const EncodedColumn& one, Index at) {
    const std::string x = column(X_, at), missing = graph_.node("IsNaN", {x});
    const std::string mean =
        graph_.reals(OnnxType::float64, Matrix::Constant(1, 1, one.mean), {1, 1});
    const std::string value = graph_.node("Where", {missing, mean, x});
    if (one.curves.empty()) parts.push_back(value);
    for (const Curve& curve : one.curves) parts.push_back(bent(curve, value));
    if (one.gaps > 0) parts.push_back(wide(missing));
  }

  // The segment of a value is the number of inner knots that it has reached.
  std::string bent(const Curve& curve, const std::string& value) {
    if (!curve.bends()) return value;
    const auto segments = static_cast<Index>(curve.x.size()) - 1;
    Matrix t(1, segments), v(1, segments), slope(1, segments), inner(1, segments - 1);
    for (Index k = 0; k < segments; ++k) {
      t(k) = curve.x[k];
      v(k) = curve.values[k];
      slope(k) = (curve.values[k + 1] - v(k)) / (curve.x[k + 1] - t(k));
      if (k > 0) inner(k - 1) = t(k);
    }
    const auto reals = [&](const Matrix& values, const std::vector<Index>& shape) {
      return graph_.reals(OnnxType::float64, values, shape);
    };
    const auto number = [&](double one) { return reals(Matrix::Constant(1, 1, one), {1, 1}); };
    const std::string x = graph_.node(
        "Min", {graph_.node("Max", {value, number(curve.x.front())}), number(curve.x.back())});
    std::string segment = graph_.integers({0}, {1, 1});
    if (segments > 1) {
      const std::string reached =
          graph_.node("GreaterOrEqual", {x, reals(inner, {1, segments - 1})});
      const std::string ones =
          graph_.node("Cast", {reached}, {{"to", static_cast<std::int64_t>(OnnxType::int64)}});
      segment = graph_.node("ReduceSum", {ones, graph_.integers({1}, {1})});
    } else {
      segment =
          graph_.node("Mul", {graph_.node("Cast", {graph_.node("IsNaN", {x})},
                                          {{"to", static_cast<std::int64_t>(OnnxType::int64)}}),
                              segment});
    }
    const auto at = [&](const Matrix& values) {
      return graph_.node("Gather", {reals(values, {segments}), segment}, {{"axis", 0}});
    };
    const std::string along = graph_.node("Mul", {graph_.node("Sub", {x, at(t)}), at(slope)});
    return graph_.node("Add", {at(v), along});
  }

  // A row of the table of outcomes for each row; the last one is the average row.
  std::string category(Index a, Index at) {
    const EncodedColumn& one = encoder_.columns[a];
    const Matrix named = encoder_.outcome_rows(a);
    const Index average = named.rows(), width = one.coordinates();
    Matrix rows(average + 1, width);
    rows << named, one.means();
    const auto row_of = [&](Index outcome) { return outcome < 0 ? average : outcome; };
    std::vector<std::string> keys = one.levels;
    std::vector<Index> places;
    for (std::size_t k = 0; k < keys.size(); ++k) places.push_back(static_cast<Index>(k));
    if (std::find(keys.begin(), keys.end(), "") == keys.end()) {
      keys.emplace_back("");
      places.push_back(row_of(one.gap_outcome()));
    }
    const std::string codes =
        graph_.label_encoder(column("words", at), keys, places, row_of(one.unseen_outcome()));
    const std::string flat = graph_.node("Reshape", {codes, graph_.integers({-1}, {1})});
    return graph_.node("Gather",
                       {graph_.reals(OnnxType::float64, rows, {average + 1, width}), flat},
                       {{"axis", 0}});
  }

  OnnxGraph& graph_;
  const Encoder& encoder_;
  std::string X_;
};

}  // namespace

std::string put_encoder(OnnxGraph& graph, const Encoder& encoder, OnnxType type) {
  return OnnxEncoder(graph, encoder).run(type);
}

}  // namespace bkernn
