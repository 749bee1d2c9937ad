//! The removal of the last step of Moonshine's decoder, which `embedding` does in less memory.
//!
//! The graph is one `If` with a branch for the first token and one for those after it. Both end with `logits
//! = MatMul(hidden, DequantizeLinear(Transpose(table)))`. Afterwards the graph gives `hidden` under the name
//! `logits`.

use prost::Message;

use super::{
    super::onnx::{GraphProto, ModelProto, NodeProto, TensorProto, ValueProto},
    embedding::Embedding,
};

/// An attribute of a node, if it is a graph.
#[derive(Clone, PartialEq, Message)]
struct GraphAttribute {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(message, optional, tag = "6")]
    graph: Option<GraphProto>,
    #[prost(int32, tag = "20")]
    kind: i32,
}

/// Returns the file of the decoder whose first output is the hidden state, and the table that turns it into
/// scores.
pub(super) fn without_scores(file: &[u8]) -> Result<(Vec<u8>, Embedding), String> {
    let mut model = ModelProto::decode(file).map_err(|why| why.to_string())?;
    let graph = model.graph.as_mut().ok_or("there is no network in it")?;
    let [branching] = &mut graph.node[..] else {
        return Err(format!("it has {} operators where one `If` belongs", graph.node.len()));
    };
    let mut table = None;
    for attribute in &mut branching.attribute {
        let mut branch = GraphAttribute::decode(&attribute[..]).map_err(|why| why.to_string())?;
        let inner = branch.graph.as_mut().ok_or("a branch is no graph")?;
        table = Some(cut(inner)?);
        *attribute = branch.encode_to_vec();
    }
    untyped(&mut graph.output)?;
    let table = table.ok_or("it has no branches")?;
    let embedding = table.read(&graph.initializer)?;
    Ok((model.encode_to_vec(), embedding))
}

/// The names of a table's tensors.
struct Table {
    rows: String,
    scale: String,
    zero: String,
}

/// Removes the last step of a branch.
fn cut(branch: &mut GraphProto) -> Result<Table, String> {
    let scores = untyped(&mut branch.output)?;
    let maker = |nodes: &[NodeProto], name: &str, op: &str| {
        nodes
            .iter()
            .position(|node| node.op_type == op && node.output.iter().any(|made| made == name))
            .ok_or_else(|| format!("no {op} makes `{name}`"))
    };
    let input = |node: &NodeProto, n: usize| {
        node.input.get(n).cloned().ok_or_else(|| format!("`{}` has no input {n}", node.name))
    };
    let product = branch.node.remove(maker(&branch.node, &scores, "MatMul")?);
    let plain = branch.node.remove(maker(&branch.node, &input(&product, 1)?, "DequantizeLinear")?);
    let turned = branch.node.remove(maker(&branch.node, &input(&plain, 0)?, "Transpose")?);
    let hidden = input(&product, 0)?;
    let made =
        branch.node.iter_mut().flat_map(|node| &mut node.output).find(|name| **name == hidden);
    *made.ok_or_else(|| format!("nothing makes `{hidden}`"))? = scores;
    Ok(Table { rows: input(&turned, 0)?, scale: input(&plain, 1)?, zero: input(&plain, 2)? })
}

/// Removes the shape of the first output, which has changed; returns its name.
fn untyped(outputs: &mut [Vec<u8>]) -> Result<String, String> {
    let first = outputs.first_mut().ok_or("there is no output")?;
    let value = ValueProto::decode(&first[..]).map_err(|why| why.to_string())?;
    *first = value.encode_to_vec();
    Ok(value.name)
}

impl Table {
    fn read(&self, tensors: &[Vec<u8>]) -> Result<Embedding, String> {
        let find = |name: &str| {
            let all = tensors.iter().filter_map(|tensor| TensorProto::decode(&tensor[..]).ok());
            all.into_iter()
                .find(|tensor| tensor.name == name)
                .ok_or_else(|| format!("there is no `{name}` in it"))
        };
        let rows = find(&self.rows)?;
        let width = rows.dims.last().and_then(|width| usize::try_from(*width).ok()).unwrap_or(0);
        let scale = find(&self.scale)?.floats().first().copied().ok_or("the table has no scale")?;
        let zero = find(&self.zero)?.bytes().first().copied().ok_or("the table has no zero")?;
        Embedding::new(rows.bytes(), width, scale, zero)
    }
}
