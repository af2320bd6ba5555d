// An ONNX graph under construction: constants, nodes, inputs and outputs (onnx.proto3).
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "bkernn/types.hpp"
#include "export/protobuf.hpp"

namespace bkernn {

// The numbers that ONNX gives to types of elements.
enum class OnnxType { float32 = 1, int64 = 7, text = 8, float64 = 11 };

class OnnxGraph {
 public:
  using Attributes = std::vector<std::pair<std::string, std::int64_t>>;

  // Each returns the name of a new value.
  std::string reals(OnnxType type, const Matrix& values,
                    const std::vector<Index>& shape);  // row by row
  std::string integers(const std::vector<Index>& values, const std::vector<Index>& shape);
  std::string texts(const std::vector<std::string>& values);
  std::string node(const std::string& operation, const std::vector<std::string>& inputs,
                   const Attributes& attributes = {});

  // The place of each text in a list, by an operator of the domain ai.onnx.ml; `other` for those
  // that are not in it.
  std::string label_encoder(const std::string& texts, const std::vector<std::string>& keys,
                            const std::vector<Index>& places, Index other);

  // The numbers of each row in increasing order.
  std::string sorted(const std::string& value, Index columns);

  // A value gets a name that is known outside.
  void input(const std::string& name, OnnxType type, Index columns);
  void output(const std::string& value, const std::string& name, OnnxType type,
              Index columns);  // columns = 0: one number per row

  // The whole file.
  std::string encoded(const std::string& description,
                      const std::vector<std::pair<std::string, std::string>>& metadata) const;

 private:
  std::string new_name();
  std::string put_node(const std::string& operation, const std::vector<std::string>& inputs,
                       const Message& more);
  std::string constant(Message tensor, OnnxType type, const std::vector<Index>& shape);
  static Message value_info(const std::string& name, OnnxType type, Index columns);

  Message nodes_, constants_, inputs_, outputs_;
  int names_ = 0;
  bool learns_ = false;  // has operators of ai.onnx.ml
};

}  // namespace bkernn
