//! Options without effect: refused, with what they would need.

use crate::args::RetargetArgs;
use crate::exit_code::Failure;
use rebone::skeleton::Format;
use rebone::{
    ContactDetector, ContactMode, KeyTolerance, Method, Options, RootMotion, RootStart, SolverKind,
};

/// Refuses the first option of a retarget that changes nothing beside the others.
pub(super) fn check(args: &RetargetArgs, format: Format) -> Result<(), Failure> {
    let options = &args.options;
    let unused = without_root_motion(args)
        .or_else(|| without_solver(options))
        .or_else(|| without_format(options, format));
    match unused {
        Some((option, need)) => {
            Err(Failure::usage(format!("{option} has no effect: it needs {need}")))
        }
        None => Ok(()),
    }
}

/// An option and its need.
type Unused = Option<(&'static str, &'static str)>;

fn first<const N: usize>(options: [(bool, &'static str); N], need: &'static str) -> Unused {
    options.into_iter().find(|option| option.0).map(|(_, option)| (option, need))
}

/// Options of a root bone, and of the path of the root.
fn without_root_motion(args: &RetargetArgs) -> Unused {
    let options = &args.options;
    let of_bone = [
        (options.add_root, "--add-root"),
        (options.root_start != RootStart::Origin, "--root-start"),
    ];
    let of_path = [(options.root_smoothing.is_some(), "--root-smoothing")];
    match options.root {
        RootMotion::RootBone => None,
        RootMotion::World if args.root_path.is_none() => first(of_bone, "--root root-bone")
            .or_else(|| first(of_path, "--root in-place, --root root-bone or --root-path")),
        _ => first(of_bone, "--root root-bone"),
    }
}

/// Options of stages and contacts, which rotation copy does not have. Goals and limits stay: the report rates them.
fn without_solver(options: &Options) -> Unused {
    let detector = options.contact_detector != ContactDetector::Displacement;
    let contacts = !matches!(options.contacts, ContactMode::Off | ContactMode::Feet);
    match (options.method, options.contacts) {
        (Method::Ik, ContactMode::Off) => {
            first([(detector, "--contact-detector")], "contacts, which --contacts off leaves out")
        }
        (Method::Ik, _) => None,
        _ => first(
            [
                (options.solver != SolverKind::default(), "--solver"),
                (contacts, "--contacts"),
                (detector, "--contact-detector"),
            ],
            "--method ik",
        ),
    }
}

/// Options of other formats. A BVH is joints and motion alone, so `--animation-only` asks for what it is.
fn without_format(options: &Options, format: Format) -> Unused {
    if format != Format::Bvh {
        return first([(options.decimals.is_some(), "--decimals")], "a .bvh to write");
    }
    let of_gltf = [
        (options.animation.is_some(), "--animation"),
        (options.tolerance != KeyTolerance::default(), "--tolerance"),
    ];
    first(of_gltf, "a .glb, .gltf, .vrm or .vrma to write")
}
