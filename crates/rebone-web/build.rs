//! Gives ufbx, which reads FBX, the functions of a C library, as a module of WebAssembly has none.

#[cfg(feature = "fbx")]
fn main() {
    println!("cargo::rerun-if-changed=ufbx/libc.c");
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        cc::Build::new().file("ufbx/libc.c").flag("-fno-builtin").compile("ufbx_libc");
    }
}

#[cfg(not(feature = "fbx"))]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
