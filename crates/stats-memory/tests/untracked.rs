//! Untracked memory, in a process of its own.

#[cfg(all(feature = "enabled", target_os = "linux", target_env = "gnu"))]
mod foreign;

fn main() -> std::io::Result<()> {
    #[cfg(all(feature = "enabled", target_os = "linux", target_env = "gnu"))]
    foreign::run()?;
    Ok(())
}
