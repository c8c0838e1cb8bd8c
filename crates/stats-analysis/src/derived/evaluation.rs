//! Computes a formula, frame by frame.

use super::formula::{Formula, Node};

/// The frames that the moving means of a formula remember. A frame takes a few nanoseconds for each
/// part of the formula, and half a nanosecond for each frame of its means. Allocates only when it is
/// created.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// One for each mean, in the order in which they are computed.
    windows: Vec<Window>,
}

/// The newest values of a part.
#[derive(Clone, Debug, PartialEq)]
struct Window {
    values: Box<[f64]>,
    next: usize,
}

impl Window {
    fn new(frames: usize) -> Self {
        Self {
            values: vec![f64::NAN; frames].into(),
            next: 0,
        }
    }

    /// Returns the mean after another value; NaN if one of them is. The values are added up again in
    /// each frame, so that no error of rounding and no unknown value outlives them.
    fn mean(&mut self, value: f64) -> f64 {
        self.values[self.next] = value;
        self.next = (self.next + 1) % self.values.len();
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }
}

impl Evaluation {
    /// Begins before the first frame of a formula.
    #[must_use]
    pub fn new(formula: &Formula) -> Self {
        fn add(node: &Node, windows: &mut Vec<Window>) {
            match node {
                Node::Series(_) | Node::Number(_) => {}
                Node::Rate(x) => add(x, windows),
                Node::Binary(_, a, b) => {
                    add(a, windows);
                    add(b, windows);
                }
                Node::Mean(x, frames) => {
                    add(x, windows);
                    windows.push(Window::new(*frames));
                }
            }
        }
        let mut windows = Vec::new();
        add(&formula.root, &mut windows);
        Self { windows }
    }

    /// Returns the value of the next frame; NaN if it is not known. `inputs` are the values of
    /// [`Formula::inputs`] in the frame, NaN or missing if unknown. Frames must follow each other.
    pub fn next(&mut self, formula: &Formula, inputs: &[f64], frame_ms: f64) -> f64 {
        let mut windows = self.windows.iter_mut();
        let mut frame = Frame {
            inputs,
            secs: frame_ms / 1e3,
            windows: &mut windows,
        };
        frame.value(&formula.root)
    }
}

/// What a formula is computed from.
struct Frame<'a, 'b> {
    inputs: &'a [f64],
    secs: f64,
    windows: &'a mut std::slice::IterMut<'b, Window>,
}

impl Frame<'_, '_> {
    fn value(&mut self, node: &Node) -> f64 {
        let value = match node {
            Node::Series(at) => self.inputs.get(*at).copied().unwrap_or(f64::NAN),
            Node::Number(number) => *number,
            Node::Binary(operator, a, b) => {
                let a = self.value(a);
                let b = self.value(b);
                operator.apply(a, b)
            }
            Node::Rate(x) => self.value(x) / self.secs,
            Node::Mean(x, _) => {
                let value = self.value(x);
                self.windows.next().map_or(f64::NAN, |w| w.mean(value))
            }
        };
        // A quotient by zero is infinite or NaN, and so is what is too large.
        if value.is_finite() { value } else { f64::NAN }
    }
}
