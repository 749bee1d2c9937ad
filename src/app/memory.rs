//! How memory is given to threads.

/// One part of memory for each core, where glibc would make eight: what a thread once needed stays in its part, and
/// after some minutes with 25 interviews that was a fifth of all memory. To be called before there are threads.
#[cfg(target_env = "gnu")]
#[expect(unsafe_code, reason = "calls C")]
pub fn share_memory() {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let parts = cores.try_into().unwrap_or(libc::c_int::MAX);
    // SAFETY: it takes two numbers and reads no memory of ours.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, parts) };
}

/// Other allocators are left as they are.
#[cfg(not(target_env = "gnu"))]
pub fn share_memory() {}
