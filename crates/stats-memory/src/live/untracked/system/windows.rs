//! Windows, which tells the regions of addresses, the pages of each that are in the working set, and
//! the state of the process's heap.
#![expect(unsafe_code, reason = "asks the system")]

use std::ffi::c_void;
use std::io;
use std::mem::{MaybeUninit, size_of};
use std::ops::Range;

use windows_sys::Win32::System::Memory::{
    GetProcessHeap, HEAP_SUMMARY, HeapSummary, MEM_COMMIT, MEM_IMAGE, MEM_MAPPED,
    MEMORY_BASIC_INFORMATION, PAGE_EXECUTE, PAGE_EXECUTE_READ, PAGE_EXECUTE_READWRITE,
    PAGE_EXECUTE_WRITECOPY, PAGE_GUARD, PAGE_NOACCESS, VirtualQuery,
};
use windows_sys::Win32::System::ProcessStatus::{
    K32GetMappedFileNameW, K32QueryWorkingSetEx, PSAPI_WORKING_SET_EX_BLOCK,
    PSAPI_WORKING_SET_EX_INFORMATION,
};
use windows_sys::Win32::System::SystemInformation::GetSystemInfo;
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use crate::HeapUsage;
use crate::live::untracked::account::Kind;
use crate::live::untracked::mapping::Mapping;

/// The kinds of memory that the regions tell apart. Memory of drivers is among all else.
pub(in crate::live::untracked) const TOLD: &[Kind] =
    &[Kind::Files, Kind::Shared, Kind::Stacks, Kind::Code];

/// The number of pages that are asked about at a time.
const PAGES: usize = 1024;

/// The maximum length of the name of a file, in UTF-16 units.
const NAME: usize = 1024;

const EXECUTABLE: u32 =
    PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY;

/// Returns whether the system lists the regions, which each version does.
pub(in crate::live::untracked) fn is_told() -> bool {
    true
}

/// Returns the regions with a page in the working set.
pub(in crate::live::untracked) fn mappings() -> io::Result<Vec<Mapping>> {
    let mut resident = Resident::new();
    let (mut mappings, mut address) = (Vec::new(), 0_usize);
    loop {
        let mut region = MaybeUninit::<MEMORY_BASIC_INFORMATION>::zeroed();
        let bytes = size_of::<MEMORY_BASIC_INFORMATION>();
        // SAFETY: any address can be asked about, and the system writes at most these bytes.
        let written = unsafe { VirtualQuery(address as *const c_void, region.as_mut_ptr(), bytes) };
        if written == 0 {
            // There are no further addresses.
            return Ok(mappings);
        }
        // SAFETY: all its fields are integers and pointers, which were zero or written.
        let region = unsafe { region.assume_init() };
        let start = region.BaseAddress as usize;
        let Some(end) = start
            .checked_add(region.RegionSize)
            .filter(|end| *end > address)
        else {
            return Ok(mappings);
        };
        address = end;
        let is_readable = region.Protect & (PAGE_NOACCESS | PAGE_GUARD) == 0;
        if region.State != MEM_COMMIT || !is_readable {
            continue;
        }
        let resident_bytes = resident.bytes(start..end)?;
        if resident_bytes > 0 {
            let is_file = matches!(region.Type, MEM_IMAGE | MEM_MAPPED);
            mappings.push(Mapping {
                addresses: start..end,
                is_executable: region.Protect & EXECUTABLE != 0,
                is_shared: region.Type == MEM_MAPPED,
                name: if is_file {
                    file_name(start)
                } else {
                    String::new()
                },
                resident_bytes,
            });
        }
    }
}

/// Counts pages in the working set.
struct Resident {
    page_bytes: usize,
    entries: Vec<PSAPI_WORKING_SET_EX_INFORMATION>,
}

impl Resident {
    fn new() -> Self {
        let mut system = MaybeUninit::zeroed();
        // SAFETY: writes the structure that it is given, whose fields are integers and pointers.
        let system = unsafe {
            GetSystemInfo(system.as_mut_ptr());
            system.assume_init()
        };
        Self {
            page_bytes: (system.dwPageSize as usize).max(4096),
            entries: Vec::with_capacity(PAGES),
        }
    }

    /// Returns the bytes of the pages of a range that are in the working set.
    fn bytes(&mut self, range: Range<usize>) -> io::Result<u64> {
        let (mut address, mut pages) = (range.start, 0);
        while address < range.end {
            let count = ((range.end - address) / self.page_bytes).clamp(1, PAGES);
            self.entries.clear();
            let entry = |page| PSAPI_WORKING_SET_EX_INFORMATION {
                VirtualAddress: (address + page * self.page_bytes) as *mut c_void,
                VirtualAttributes: PSAPI_WORKING_SET_EX_BLOCK { Flags: 0 },
            };
            self.entries.extend((0..count).map(entry));
            let bytes = count * size_of::<PSAPI_WORKING_SET_EX_INFORMATION>();
            // SAFETY: the list has this many bytes, and the handle of this process is always valid.
            let is_known = unsafe {
                K32QueryWorkingSetEx(
                    GetCurrentProcess(),
                    self.entries.as_mut_ptr().cast(),
                    bytes as u32,
                )
            };
            if is_known == 0 {
                return Err(io::Error::last_os_error());
            }
            // The lowest bit says whether the page is in the working set.
            let is_valid = |entry: &&PSAPI_WORKING_SET_EX_INFORMATION| {
                // SAFETY: all variants are integers of the same size.
                unsafe { entry.VirtualAttributes.Flags & 1 != 0 }
            };
            pages += self.entries.iter().filter(is_valid).count();
            address += count * self.page_bytes;
        }
        Ok((pages * self.page_bytes) as u64)
    }
}

/// Returns the name of the file that is mapped at an address, with `/` between folders; empty if there
/// is none.
fn file_name(address: usize) -> String {
    let mut name = [0; NAME];
    // SAFETY: the system writes at most this many units, and any address can be asked about.
    let length = unsafe {
        K32GetMappedFileNameW(
            GetCurrentProcess(),
            address as *const c_void,
            name.as_mut_ptr(),
            NAME as u32,
        )
    };
    let name = &name[..(length as usize).min(NAME)];
    String::from_utf16_lossy(name).replace('\\', "/")
}

/// Returns how much the heap of the process uses, from which Rust's `System` and the C library
/// allocate.
pub(in crate::live::untracked) fn heap() -> Option<HeapUsage> {
    let mut summary = MaybeUninit::<HEAP_SUMMARY>::zeroed();
    // SAFETY: all its fields are integers. The heap lives as long as the process, and the function
    // writes to the structure, whose size it is told.
    let summary = unsafe {
        (*summary.as_mut_ptr()).cb = size_of::<HEAP_SUMMARY>() as u32;
        if HeapSummary(GetProcessHeap(), 0, summary.as_mut_ptr()) == 0 {
            return None;
        }
        summary.assume_init()
    };
    let free = summary.cbCommitted.checked_sub(summary.cbAllocated);
    (summary.cbAllocated > 0).then_some(HeapUsage {
        used_bytes: summary.cbAllocated as u64,
        free_bytes: free.map(|bytes| bytes as u64),
    })
}
