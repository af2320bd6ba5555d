#include "export/onnx_graph.hpp"

#include <cstring>

#include "bkernn/version.hpp"

namespace bkernn {
namespace {

constexpr int kFormat = 8, kOperators = 17, kLearningOperators = 3;  // of ONNX 1.12
constexpr const char* kLearning = "ai.onnx.ml";

// The fields of onnx.proto3.
namespace field {
constexpr int kModelFormat = 1, kModelProducer = 2, kModelProducerVersion = 3, kModelText = 6,
              kModelGraph = 7, kModelOperators = 8, kModelMetadata = 14;
constexpr int kOperatorsDomain = 1, kOperatorsVersion = 2;
constexpr int kEntryKey = 1, kEntryValue = 2;
constexpr int kGraphNode = 1, kGraphName = 2, kGraphConstant = 5, kGraphInput = 11,
              kGraphOutput = 12;
constexpr int kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kNodeOperation = 4,
              kNodeAttribute = 5, kNodeDomain = 7;
constexpr int kAttributeName = 1, kAttributeInteger = 3, kAttributeIntegers = 8,
              kAttributeTexts = 9, kAttributeType = 20;
constexpr int kTensorDimension = 1, kTensorType = 2, kTensorText = 6, kTensorName = 8,
              kTensorBytes = 9;
constexpr int kValueName = 1, kValueType = 2, kTypeTensor = 1, kTensorTypeElement = 1,
              kTensorTypeShape = 2, kShapeDimension = 1, kDimensionValue = 1, kDimensionName = 2;
}  // namespace field

constexpr int kAttributeIsInteger = 2, kAttributeIsIntegers = 7, kAttributeIsTexts = 8;

Message attribute(const std::string& name, int type) {
  return Message().bytes(field::kAttributeName, name).integer(field::kAttributeType, type);
}

Message integer_attributes(const OnnxGraph::Attributes& attributes) {
  Message all;
  for (const auto& [key, value] : attributes) {
    all.message(field::kNodeAttribute,
                attribute(key, kAttributeIsInteger).integer(field::kAttributeInteger, value));
  }
  return all;
}

template <class Number>
void append(std::string& bytes, Number value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

}  // namespace

std::string OnnxGraph::new_name() {
  return "v" + std::to_string(++names_);
}

std::string OnnxGraph::constant(Message tensor, OnnxType type, const std::vector<Index>& shape) {
  std::string name = new_name();
  for (const Index size : shape) tensor.integer(field::kTensorDimension, size);
  tensor.integer(field::kTensorType, static_cast<int>(type)).bytes(field::kTensorName, name);
  constants_.message(field::kGraphConstant, tensor);
  return name;
}

std::string OnnxGraph::reals(OnnxType type, const Matrix& values, const std::vector<Index>& shape) {
  std::string bytes;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index k = 0; k < values.cols(); ++k) {
      if (type == OnnxType::float32) {
        append(bytes, static_cast<float>(values(i, k)));
      } else {
        append(bytes, values(i, k));
      }
    }
  }
  return constant(Message().bytes(field::kTensorBytes, bytes), type, shape);
}

std::string OnnxGraph::integers(const std::vector<Index>& values, const std::vector<Index>& shape) {
  std::string bytes;
  for (const Index value : values) append(bytes, static_cast<std::int64_t>(value));
  return constant(Message().bytes(field::kTensorBytes, bytes), OnnxType::int64, shape);
}

std::string OnnxGraph::texts(const std::vector<std::string>& values) {
  Message tensor;
  for (const std::string& value : values) tensor.bytes(field::kTensorText, value);
  return constant(tensor, OnnxType::text, {static_cast<Index>(values.size())});
}

std::string OnnxGraph::put_node(const std::string& operation,
                                const std::vector<std::string>& inputs, const Message& more) {
  std::string name = new_name();
  Message node;
  for (const std::string& one : inputs) node.bytes(field::kNodeInput, one);
  node.bytes(field::kNodeOutput, name)
      .bytes(field::kNodeName, operation + "_" + name)
      .bytes(field::kNodeOperation, operation)
      .append(more);
  nodes_.message(field::kGraphNode, node);
  return name;
}

std::string OnnxGraph::node(const std::string& operation, const std::vector<std::string>& inputs,
                            const Attributes& attributes) {
  return put_node(operation, inputs, integer_attributes(attributes));
}

std::string OnnxGraph::label_encoder(const std::string& texts, const std::vector<std::string>& keys,
                                     const std::vector<Index>& places, Index other) {
  learns_ = true;
  Message names = attribute("keys_strings", kAttributeIsTexts);
  for (const std::string& key : keys) names.bytes(field::kAttributeTexts, key);
  Message values = attribute("values_int64s", kAttributeIsIntegers);
  for (const Index place : places) values.integer(field::kAttributeIntegers, place);
  const Message fallback =
      attribute("default_int64", kAttributeIsInteger).integer(field::kAttributeInteger, other);
  return put_node("LabelEncoder", {texts},
                  Message()
                      .message(field::kNodeAttribute, names)
                      .message(field::kNodeAttribute, values)
                      .message(field::kNodeAttribute, fallback)
                      .bytes(field::kNodeDomain, kLearning));
}

std::string OnnxGraph::sorted(const std::string& value, Index columns) {
  const Attributes attributes = {{"axis", 1}, {"largest", 0}, {"sorted", 1}};
  // It has a second output, the places, which nobody needs.
  return put_node(
      "TopK", {value, integers({columns}, {1})},
      Message().bytes(field::kNodeOutput, new_name()).append(integer_attributes(attributes)));
}

Message OnnxGraph::value_info(const std::string& name, OnnxType type, Index columns) {
  Message shape;
  shape.message(field::kShapeDimension, Message().bytes(field::kDimensionName, "rows"));
  if (columns > 0)
    shape.message(field::kShapeDimension, Message().integer(field::kDimensionValue, columns));
  Message tensor;
  tensor.integer(field::kTensorTypeElement, static_cast<int>(type))
      .message(field::kTensorTypeShape, shape);
  return Message()
      .bytes(field::kValueName, name)
      .message(field::kValueType, Message().message(field::kTypeTensor, tensor));
}

void OnnxGraph::input(const std::string& name, OnnxType type, Index columns) {
  inputs_.message(field::kGraphInput, value_info(name, type, columns));
}

void OnnxGraph::output(const std::string& value, const std::string& name, OnnxType type,
                       Index columns) {
  nodes_.message(field::kGraphNode, Message()
                                        .bytes(field::kNodeInput, value)
                                        .bytes(field::kNodeOutput, name)
                                        .bytes(field::kNodeName, "Identity_" + name)
                                        .bytes(field::kNodeOperation, "Identity"));
  outputs_.message(field::kGraphOutput, value_info(name, type, columns));
}

std::string OnnxGraph::encoded(
    const std::string& description,
    const std::vector<std::pair<std::string, std::string>>& metadata) const {
  Message graph = nodes_;
  graph.bytes(field::kGraphName, "bkernn").append(constants_).append(inputs_).append(outputs_);
  Message model;
  model.integer(field::kModelFormat, kFormat)
      .bytes(field::kModelProducer, "bkernn")
      .bytes(field::kModelProducerVersion, version())
      .bytes(field::kModelText, description)
      .message(field::kModelGraph, graph)
      .message(field::kModelOperators, Message().integer(field::kOperatorsVersion, kOperators));
  if (learns_) {
    model.message(field::kModelOperators,
                  Message()
                      .bytes(field::kOperatorsDomain, kLearning)
                      .integer(field::kOperatorsVersion, kLearningOperators));
  }
  for (const auto& [key, value] : metadata) {
    model.message(field::kModelMetadata,
                  Message().bytes(field::kEntryKey, key).bytes(field::kEntryValue, value));
  }
  return model.encoded();
}

}  // namespace bkernn
