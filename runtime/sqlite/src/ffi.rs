//! The parts of SQLite's C interface that rusqlite lacks, and the only unsafe code: counted memory, a clock that fails, no local time, and functions
//! that count their work. Each is a thin layer; the decisions are made in `meter` and `functions`.
#![allow(unsafe_code)]

pub mod heap;

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::slice::from_raw_parts;
use std::sync::OnceLock;

use rusqlite::{Connection, Error, ffi};

use crate::functions::{Answer, Argument, FUNCTIONS, Function, Like};
use crate::rules::Rules;
use crate::{math, meter};

/// The name by which connections find the failing clock.
pub const NO_CLOCK: &CStr = c"picardc";

/// Configures SQLite for this process, once and before the first connection, because SQLite accepts these settings only then.
///
/// # Errors
/// Other code has used SQLite before.
pub fn init_process() -> rusqlite::Result<()> {
    static STARTED: OnceLock<c_int> = OnceLock::new();
    match *STARTED.get_or_init(configure_sqlite) {
        ffi::SQLITE_OK => Ok(()),
        code => Err(Error::SqliteFailure(
            ffi::Error::new(code),
            Some("SQLite was in use before its bounds were set: call sqlite::init_process first".to_owned()),
        )),
    }
}

fn configure_sqlite() -> c_int {
    let memory = ffi::sqlite3_mem_methods {
        xMalloc: Some(allocate),
        xFree: Some(release),
        xRealloc: Some(reallocate),
        xSize: Some(size),
        xRoundup: Some(round_up),
        xInit: Some(begin),
        xShutdown: Some(end),
        pAppData: null_mut(),
    };
    // SAFETY: SQLite copies the struct; all functions meet SQLite's requirements (https://sqlite.org/c3ref/mem_methods.html). The calls precede
    // `sqlite3_initialize`; otherwise SQLite rejects them with SQLITE_MISUSE and changes nothing.
    let code = unsafe {
        match ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const memory) {
            // Disables statistics of the whole process, which need a lock at every allocation and are never used.
            ffi::SQLITE_OK => ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0),
            code => code,
        }
    };
    if code != ffi::SQLITE_OK {
        return code;
    }
    // SAFETY: the arguments are those that the operation requires: 2, and a function of two pointers that returns an int.
    let code = unsafe {
        ffi::sqlite3_test_control(
            ffi::SQLITE_TESTCTRL_LOCALTIME_FAULT,
            2 as c_int,
            no_local_time as extern "C" fn(*const c_void, *mut c_void) -> c_int,
        )
    };
    if code != ffi::SQLITE_OK {
        return code;
    }
    // SAFETY: the default VFS exists as long as the process; its copy is never freed. Its functions accept the copy like the original, because they
    // read `pAppData`, which is the same.
    unsafe {
        let default = ffi::sqlite3_vfs_find(null());
        if default.is_null() {
            return ffi::SQLITE_ERROR;
        }
        let mut vfs = *default;
        vfs.zName = NO_CLOCK.as_ptr();
        vfs.pNext = null_mut();
        vfs.xCurrentTime = Some(no_time);
        vfs.xCurrentTimeInt64 = Some(no_time_int64);
        ffi::sqlite3_vfs_register(Box::leak(Box::new(vfs)), 0)
    }
}

/// Number of bytes before each allocation, which contain its size; a multiple of the alignment.
const HEAD: usize = 16;

/// Computes the machine's memory for an allocation of `size` bytes, including its header and the overhead of the system's allocator.
fn compute_footprint(size: usize) -> u64 {
    (size + 2 * HEAD) as u64
}

fn build_layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEAD)?, HEAD).ok()
}

extern "C" fn allocate(size: c_int) -> *mut c_void {
    let Ok(size) = usize::try_from(size) else { return null_mut() };
    let Some(layout) = build_layout(size) else { return null_mut() };
    if !meter::take_memory(compute_footprint(size)) {
        return null_mut();
    }
    // SAFETY: the layout is not empty; the size fits before the bytes that SQLite receives, which are aligned to 16.
    unsafe {
        let start = alloc(layout);
        if start.is_null() {
            return null_mut();
        }
        start.cast::<usize>().write(size);
        start.add(HEAD).cast()
    }
}

extern "C" fn release(memory: *mut c_void) {
    if memory.is_null() {
        return;
    }
    // SAFETY: SQLite frees a result of `allocate`, once: its head precedes it, and the layout is the one with which it was made.
    unsafe {
        let start = memory.cast::<u8>().sub(HEAD);
        let size = start.cast::<usize>().read();
        meter::give_back(compute_footprint(size));
        if let Some(layout) = build_layout(size) {
            dealloc(start, layout);
        }
    }
}

extern "C" fn reallocate(memory: *mut c_void, wanted: c_int) -> *mut c_void {
    if memory.is_null() {
        return allocate(wanted);
    }
    let Ok(wanted) = usize::try_from(wanted) else { return null_mut() };
    let Some(new) = build_layout(wanted) else { return null_mut() };
    // SAFETY: as in `release`; if the allocation fails, the old one stays unchanged.
    unsafe {
        let start = memory.cast::<u8>().sub(HEAD);
        let size = start.cast::<usize>().read();
        let Some(old) = build_layout(size) else { return null_mut() };
        if !meter::grow_memory(size as u64, wanted as u64) {
            return null_mut();
        }
        let start = std::alloc::realloc(start, old, new.size());
        if start.is_null() {
            // It keeps its length, so the memory is counted back. The counted work of a failing step no longer matters.
            meter::grow_memory(wanted as u64, size as u64);
            return null_mut();
        }
        start.cast::<usize>().write(wanted);
        start.add(HEAD).cast()
    }
}

extern "C" fn size(memory: *mut c_void) -> c_int {
    if memory.is_null() {
        return 0;
    }
    // SAFETY: as in `release`. The size came from a c_int.
    unsafe { memory.cast::<u8>().sub(HEAD).cast::<usize>().read() as c_int }
}

extern "C" fn round_up(size: c_int) -> c_int {
    size.saturating_add(7) & !7
}

extern "C" fn begin(_: *mut c_void) -> c_int {
    ffi::SQLITE_OK
}

extern "C" fn end(_: *mut c_void) {}

extern "C" fn no_time(_: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    meter::note_clock_use();
    // SAFETY: SQLite provides space for one double.
    unsafe { out.write(0.0) };
    ffi::SQLITE_ERROR
}

extern "C" fn no_time_int64(_: *mut ffi::sqlite3_vfs, out: *mut ffi::sqlite3_int64) -> c_int {
    meter::note_clock_use();
    // SAFETY: SQLite provides space for one integer.
    unsafe { out.write(0) };
    ffi::SQLITE_ERROR
}

extern "C" fn no_local_time(_: *const c_void, _: *mut c_void) -> c_int {
    meter::note_local_time_use();
    1
}

fn check_code(code: c_int) -> rusqlite::Result<()> {
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(Error::SqliteFailure(ffi::Error::new(code), None)) }
}

/// Removes all modules of virtual tables from a connection, so none of their code reads an untrusted file. The modules for pragmas as tables return on demand.
///
/// # Errors
/// SQLite has no memory.
pub fn drop_modules(connection: &Connection) -> rusqlite::Result<()> {
    // SAFETY: the connection is open during the call; without a list, no module is kept.
    check_code(unsafe { ffi::sqlite3_drop_modules(connection.handle(), null_mut()) })
}

/// Replaces functions of SQLite by those that count their work, and by those that are the same on every machine; LIKE only if the rules count it.
pub fn add_functions(connection: &Connection, rules: &Rules) -> rusqlite::Result<()> {
    let is_counted = |function: &Function| rules.counted_like || !function.is_like;
    for (index, function) in FUNCTIONS.iter().enumerate().filter(|(_, function)| is_counted(function)) {
        register_function(connection, function.name, function.arguments, index, run_counted_function)?;
    }
    for (index, function) in math::FUNCTIONS.iter().enumerate() {
        register_function(connection, function.name, function.arguments, index, run_math_function)?;
    }
    Ok(())
}

/// SQLite's callback for a function, with its context, the number of arguments, and the arguments.
type Call = unsafe extern "C" fn(*mut ffi::sqlite3_context, c_int, *mut *mut ffi::sqlite3_value);

/// Registers the function with this index in its list.
fn register_function(
    connection: &Connection,
    name: &CStr,
    arguments: c_int,
    index: usize,
    call: Call,
) -> rusqlite::Result<()> {
    const FLAGS: c_int = ffi::SQLITE_UTF8 | ffi::SQLITE_DETERMINISTIC | ffi::SQLITE_INNOCUOUS;
    let index = index as *mut c_void;
    // SAFETY: the connection is open during the call; the index is passed as a pointer and never dereferenced.
    let code = unsafe {
        let (handle, name) = (connection.handle(), name.as_ptr());
        ffi::sqlite3_create_function_v2(handle, name, arguments, FLAGS, index, Some(call), None, None, None)
    };
    check_code(code)
}

/// SQLite's callback for each of [`math::FUNCTIONS`].
extern "C" fn run_math_function(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: SQLite passes `count` values, which live until the call ends.
    unsafe {
        let Some(function) = math::FUNCTIONS.get(ffi::sqlite3_user_data(context) as usize) else { return };
        let values = if count > 0 { from_raw_parts(values, count as usize) } else { &[] };
        let mut numbers = [0.0; 2];
        for (at, (number, value)) in numbers.iter_mut().zip(values).enumerate() {
            let kind = ffi::sqlite3_value_numeric_type(*value);
            if at < function.numbers && !matches!(kind, ffi::SQLITE_INTEGER | ffi::SQLITE_FLOAT) {
                return ffi::sqlite3_result_null(context);
            }
            *number = ffi::sqlite3_value_double(*value);
        }
        ffi::sqlite3_result_double(context, (function.run)(numbers[0], numbers[1]));
    }
}

/// SQLite's callback for each of [`FUNCTIONS`].
extern "C" fn run_counted_function(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: SQLite passes `count` values, which live until the call ends, and so do their texts and blobs, because no other conversion of the same
    // value is requested. A text ends with a NUL, which is not counted. A result of SQLITE_TRANSIENT is copied before the call returns.
    unsafe {
        let Some(function) = FUNCTIONS.get(ffi::sqlite3_user_data(context) as usize) else { return };
        let values = if count > 0 { from_raw_parts(values, count as usize) } else { &[] };
        let mut arguments = [Argument::NULL; 3];
        for (argument, value) in arguments.iter_mut().zip(values) {
            let kind = ffi::sqlite3_value_type(*value);
            if kind == ffi::SQLITE_NULL {
                continue;
            }
            let is_blob = kind == ffi::SQLITE_BLOB && !function.is_like;
            let start = if is_blob {
                ffi::sqlite3_value_blob(*value).cast::<u8>()
            } else {
                ffi::sqlite3_value_text(*value).cast()
            };
            let length = usize::try_from(ffi::sqlite3_value_bytes(*value)).unwrap_or(0);
            if start.is_null() && (length > 0 || !is_blob) {
                return ffi::sqlite3_result_error_nomem(context);
            }
            argument.bytes = Some(if start.is_null() { &[] } else { from_raw_parts(start, length) });
            argument.is_blob = is_blob;
        }
        let limit = |limit| ffi::sqlite3_limit(ffi::sqlite3_context_db_handle(context), limit, -1);
        let most = usize::try_from(limit(ffi::SQLITE_LIMIT_LENGTH)).unwrap_or(0);
        match (function.run)(&arguments[..values.len().min(3)], most) {
            Answer::Null => ffi::sqlite3_result_null(context),
            Answer::Int(value) => ffi::sqlite3_result_int64(context, value),
            Answer::Text(text) => {
                let length = text.len() as u64;
                let (start, utf8) = (text.as_ptr().cast::<c_char>(), ffi::SQLITE_UTF8 as u8);
                ffi::sqlite3_result_text64(context, start, length, ffi::SQLITE_TRANSIENT(), utf8);
            }
            Answer::Blob(blob) => {
                let (start, length) = (blob.as_ptr().cast::<c_void>(), blob.len() as u64);
                ffi::sqlite3_result_blob64(context, start, length, ffi::SQLITE_TRANSIENT());
            }
            Answer::TooBig => ffi::sqlite3_result_error_toobig(context),
            Answer::TooMuch => ffi::sqlite3_result_error_nomem(context),
            Answer::Wrong(why) => ffi::sqlite3_result_error(context, why.as_ptr(), -1),
            Answer::Like(like) => {
                if values[0].is_null()
                    || limit(ffi::SQLITE_LIMIT_LIKE_PATTERN_LENGTH) < ffi::sqlite3_value_bytes(values[0])
                {
                    let why = c"LIKE or GLOB pattern too complex";
                    return ffi::sqlite3_result_error(context, why.as_ptr(), -1);
                }
                let [pattern, text] = [0, 1].map(|at| ffi::sqlite3_value_text(values[at]).cast::<c_char>());
                let differs = match like {
                    Like::Glob => ffi::sqlite3_strglob(pattern, text),
                    Like::Like { escape } => ffi::sqlite3_strlike(pattern, text, escape),
                };
                ffi::sqlite3_result_int(context, c_int::from(differs == 0));
            }
        }
    }
}
