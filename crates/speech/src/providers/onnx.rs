//! The parts of the ONNX format that are read before a network runs.

use std::collections::BTreeMap;

use prost::Message;

/// A file. Parts that are not read stay as they are written.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ModelProto {
    #[prost(int64, tag = "1")]
    pub(super) ir_version: i64,
    #[prost(message, optional, tag = "7")]
    pub(super) graph: Option<GraphProto>,
    #[prost(bytes = "vec", repeated, tag = "8")]
    pub(super) opset_import: Vec<Vec<u8>>,
}

/// The network.
#[derive(Clone, PartialEq, Message)]
pub(super) struct GraphProto {
    /// The operators, each after those whose output it needs.
    #[prost(message, repeated, tag = "1")]
    pub(super) node: Vec<NodeProto>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(bytes = "vec", repeated, tag = "5")]
    pub(super) initializer: Vec<Vec<u8>>,
    #[prost(bytes = "vec", repeated, tag = "11")]
    pub(super) input: Vec<Vec<u8>>,
    #[prost(bytes = "vec", repeated, tag = "12")]
    pub(super) output: Vec<Vec<u8>>,
}

/// An operator, with the names of its inputs and outputs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct NodeProto {
    #[prost(string, repeated, tag = "1")]
    pub(super) input: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) output: Vec<String>,
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) op_type: String,
    #[prost(bytes = "vec", repeated, tag = "5")]
    pub(super) attribute: Vec<Vec<u8>>,
    #[prost(string, tag = "7")]
    pub(super) domain: String,
}

/// A table of numbers that is part of a network.
#[derive(Clone, PartialEq, Message)]
pub(super) struct TensorProto {
    #[prost(int64, repeated, packed = "false", tag = "1")]
    pub(super) dims: Vec<i64>,
    #[prost(int32, tag = "2")]
    pub(super) data_type: i32,
    #[prost(float, repeated, tag = "4")]
    pub(super) float_data: Vec<f32>,
    #[prost(int32, repeated, tag = "5")]
    pub(super) int32_data: Vec<i32>,
    #[prost(int64, repeated, tag = "7")]
    pub(super) int64_data: Vec<i64>,
    #[prost(string, tag = "8")]
    pub(super) name: String,
    /// The numbers as little-endian bytes, if they are in none of the lists.
    #[prost(bytes = "vec", tag = "9")]
    pub(super) raw_data: Vec<u8>,
}

impl TensorProto {
    /// Returns the numbers of a tensor of 32-bit floats.
    pub(super) fn floats(&self) -> Vec<f32> {
        let raw =
            self.raw_data.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        self.float_data.iter().copied().chain(raw).collect()
    }

    /// Returns the numbers of a tensor of 8-bit integers.
    pub(super) fn bytes(self) -> Vec<u8> {
        match self.raw_data.is_empty() {
            true => self.int32_data.iter().map(|number| *number as u8).collect(),
            false => self.raw_data,
        }
    }
}

/// An input or output of a network; its type is not read.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
}

/// Returns the network without the rounding to 8 bits between its operators. The weights stay rounded.
pub(super) fn without_rounding(file: &[u8]) -> Result<Vec<u8>, String> {
    let mut model = ModelProto::decode(file).map_err(|why| why.to_string())?;
    let graph = model.graph.as_mut().ok_or("there is no network in it")?;
    // The rounded values: first by the name of the rounded tensor, then by the name of the restored one.
    let mut rounded = BTreeMap::new();
    let mut plain: BTreeMap<String, String> = BTreeMap::new();
    graph.node.retain_mut(|node| {
        for input in &mut node.input {
            if let Some(before) = plain.get(input) {
                input.clone_from(before);
            }
        }
        let ([input, ..], [output]) = (&node.input[..], &node.output[..]) else { return true };
        match (node.op_type.as_str(), rounded.get(input)) {
            ("QuantizeLinear", _) => {
                rounded.insert(output.clone(), input.clone());
                false
            }
            ("DequantizeLinear", Some(before)) => {
                plain.insert(output.clone(), before.clone());
                false
            }
            _ => true,
        }
    });
    Ok(model.encode_to_vec())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Message)]
    struct OpsetProto {
        #[prost(int64, tag = "2")]
        version: i64,
    }

    #[derive(Clone, PartialEq, Message)]
    struct AttributeProto {
        #[prost(string, tag = "1")]
        name: String,
        #[prost(int64, tag = "3")]
        i: i64,
        #[prost(int32, tag = "20")]
        kind: i32,
    }

    /// Returns an operator with a number as its attribute.
    pub(in crate::providers) fn node(
        op: &str,
        input: &[&str],
        output: &str,
        attribute: Option<(&str, i64)>,
    ) -> NodeProto {
        let attribute = attribute
            .map(|(name, i)| AttributeProto { name: name.into(), i, kind: 2 }.encode_to_vec());
        NodeProto {
            input: input.iter().map(|name| (*name).to_owned()).collect(),
            output: vec![output.to_owned()],
            op_type: op.to_owned(),
            attribute: attribute.into_iter().collect(),
            ..NodeProto::default()
        }
    }

    /// Returns a number that is part of a network.
    pub(in crate::providers) fn number(name: &str, value: f32) -> Vec<u8> {
        let tensor = TensorProto { data_type: 1, float_data: vec![value], ..tensor(name) };
        tensor.encode_to_vec()
    }

    /// Returns a number of 8 bits that is part of a network.
    pub(in crate::providers) fn byte(name: &str, value: i32) -> Vec<u8> {
        TensorProto { data_type: 2, int32_data: vec![value], ..tensor(name) }.encode_to_vec()
    }

    /// Returns a row of whole numbers that is part of a network.
    pub(in crate::providers) fn whole_numbers(name: &str, values: &[i64]) -> Vec<u8> {
        let (dims, int64_data) = (vec![values.len() as i64], values.to_vec());
        TensorProto { dims, data_type: 7, int64_data, ..tensor(name) }.encode_to_vec()
    }

    fn tensor(name: &str) -> TensorProto {
        TensorProto { name: name.to_owned(), ..TensorProto::default() }
    }

    /// Returns a file with a network.
    pub(in crate::providers) fn network(
        node: Vec<NodeProto>,
        initializer: Vec<Vec<u8>>,
        input: &[&str],
        output: &[&str],
    ) -> ModelProto {
        let values = |names: &[&str]| {
            let value = |name: &&str| ValueProto { name: (*name).to_owned() }.encode_to_vec();
            names.iter().map(value).collect()
        };
        let (input, output) = (values(input), values(output));
        let graph = GraphProto { node, name: "a test".into(), initializer, input, output };
        let opset_import = vec![OpsetProto { version: 15 }.encode_to_vec()];
        ModelProto { ir_version: 8, graph: Some(graph), opset_import }
    }

    /// T04: the rounding between operators is removed, also twice in a row and where two operators read the
    /// result; rounded weights stay.
    #[test]
    fn rounding_on_the_way_is_left_out() {
        let model = network(
            vec![
                node("DequantizeLinear", &["weight", "scale", "zero"], "w", None),
                node("QuantizeLinear", &["in", "scale", "zero"], "a", None),
                node("DequantizeLinear", &["a", "scale", "zero"], "b", None),
                node("QuantizeLinear", &["b", "scale", "zero"], "c", None),
                node("DequantizeLinear", &["c", "scale", "zero"], "d", None),
                node("Mul", &["d", "w"], "e", None),
                node("Add", &["e", "b"], "out", None),
            ],
            vec![number("scale", 0.5), byte("zero", 0), byte("weight", 4)],
            &["in"],
            &["out"],
        );
        let plain = without_rounding(&model.encode_to_vec()).unwrap();
        let plain = ModelProto::decode(&plain[..]).unwrap();
        let expected = vec![
            node("DequantizeLinear", &["weight", "scale", "zero"], "w", None),
            node("Mul", &["in", "w"], "e", None),
            node("Add", &["e", "in"], "out", None),
        ];
        let (is, was) = (plain.graph.unwrap(), model.graph.unwrap());
        assert_eq!(is.node, expected);
        assert_eq!(GraphProto { node: was.node.clone(), ..is }, was);
        assert!(without_rounding(b"no network at all").is_err());
        assert!(without_rounding(&[]).unwrap_err().contains("no network"));
    }
}
