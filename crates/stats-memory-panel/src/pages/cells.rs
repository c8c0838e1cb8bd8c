//! The cells of a map: touched pages in the order of their addresses.

use std::ops::Range;

use super::PAGE;

/// The maximum number of cells. It bounds the memory and the drawing of a map.
const MAX_CELLS: u64 = 2048;

/// Some pages in a row. Pages that were not touched are left out, so a cell may span them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// The address of the first page.
    pub(crate) address: u64,
    /// The size of its pages.
    pub(crate) bytes: u64,
    /// The bytes of live allocations.
    pub(crate) used: u64,
    /// The name of the group that holds most of them; `None` if there are none.
    pub(crate) group: Option<u32>,
}

/// The cells so far, and the groups in the last one with an allocation.
#[derive(Debug)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    /// The size of each cell but the last, which may be smaller.
    bytes: u64,
    /// The cell of the last allocation, and the bytes of each group in it.
    last: usize,
    groups: Vec<(u32, u64)>,
}

impl Cells {
    /// Creates empty cells for some extents.
    pub(super) fn new(extents: &[Range<u64>]) -> Self {
        let all: u64 = extents.iter().map(|extent| extent.end - extent.start).sum();
        let bytes = (all / PAGE).div_ceil(MAX_CELLS).max(1) * PAGE;
        let mut cells = Vec::with_capacity(all.div_ceil(bytes) as usize);
        let mut place = 0;
        for extent in extents {
            let end = place + (extent.end - extent.start);
            while (cells.len() as u64) * bytes < end {
                let start = cells.len() as u64 * bytes;
                cells.push(Cell {
                    address: extent.start + (start - place),
                    bytes: bytes.min(all - start),
                    ..Cell::default()
                });
            }
            place = end;
        }
        Self {
            cells,
            bytes,
            last: 0,
            groups: Vec::new(),
        }
    }

    /// Adds an allocation behind all earlier ones. `place` is the number of touched bytes before it.
    pub(super) fn add(&mut self, mut place: u64, mut bytes: u64, group: u32) {
        while bytes > 0 {
            let at = (place / self.bytes) as usize;
            let here = bytes.min((at as u64 + 1) * self.bytes - place);
            if at != self.last {
                self.end_cell();
                self.last = at;
            }
            self.cells[at].used += here;
            match self.groups.iter_mut().find(|(other, _)| *other == group) {
                Some((_, sum)) => *sum += here,
                None => self.groups.push((group, here)),
            }
            (place, bytes) = (place + here, bytes - here);
        }
    }

    fn end_cell(&mut self) {
        let most = self.groups.iter().max_by_key(|(_, bytes)| *bytes);
        if let (Some(cell), Some((group, _))) = (self.cells.get_mut(self.last), most) {
            cell.group = Some(*group);
        }
        self.groups.clear();
    }

    pub(super) fn finish(mut self) -> Vec<Cell> {
        self.end_cell();
        self.cells
    }
}
