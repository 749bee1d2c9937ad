//! How memory is given to threads.

#[cfg(target_env = "gnu")]
use std::ffi::c_int;

/// `M_ARENA_MAX` of `malloc.h`.
#[cfg(target_env = "gnu")]
const ARENA_MAX: c_int = -8;

/// One part of memory for each core, where glibc would make eight: what a thread once needed stays in its
/// part, and after some minutes with 25 interviews that was a tenth of all memory. To be called before there
/// are threads.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "calls C")]
pub fn share_memory() {
    unsafe extern "C" {
        fn mallopt(what: c_int, value: c_int) -> c_int;
    }
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let parts = cores.try_into().unwrap_or(c_int::MAX);
    // SAFETY: it takes two numbers and reads no memory of ours.
    unsafe { mallopt(ARENA_MAX, parts) };
}

/// Gives back what is free. To be called when models were read: they pass through memory more than once.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "calls C")]
pub(super) fn give_back() {
    unsafe extern "C" {
        fn malloc_trim(kept: usize) -> c_int;
    }
    // SAFETY: it takes a number, and touches only what is free.
    unsafe { malloc_trim(0) };
}

/// Other allocators are left as they are.
#[cfg(not(target_env = "gnu"))]
pub fn share_memory() {}

/// See [`share_memory`].
#[cfg(not(target_env = "gnu"))]
pub(super) fn give_back() {}
