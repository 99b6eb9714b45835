//! Options without effect, and what they would need.

use super::{
    ContactMode, GroundMode, KeyTolerance, LimbBlend, LimitMode, Method, Options, RootMotion,
    RootStart,
};
use rebone_ik::SolverKind;
use rebone_skeleton::Format;

impl Options {
    /// Lists the options that change nothing in a result of a format, by their names in JSON, each with what it would need;
    /// `writes_root_path` where the path of the body is written as well.
    ///
    /// ```
    /// use rebone::{Options, skeleton::Format};
    ///
    /// let options = Options { decimals: Some(3), ..Options::default() };
    /// assert!(options.unused(Format::Bvh, false).is_empty());
    /// assert_eq!(options.unused(Format::Glb, false), [("decimals", "a .bvh to write")]);
    /// ```
    pub fn unused(
        &self,
        format: Format,
        writes_root_path: bool,
    ) -> Vec<(&'static str, &'static str)> {
        [
            self.without_root_motion(writes_root_path),
            self.without_solver(),
            self.without_format(format),
        ]
        .concat()
    }

    /// Options of a root bone, and of the path of the root.
    fn without_root_motion(&self, writes_root_path: bool) -> Vec<(&'static str, &'static str)> {
        let of_bone =
            [(self.add_root, "add-root"), (self.root_start != RootStart::Origin, "root-start")];
        let of_path = [(self.root_smoothing.is_some(), "root-smoothing")];
        match self.root {
            RootMotion::RootBone => Vec::new(),
            RootMotion::World if !writes_root_path => [
                stated(of_bone, "--root root-bone"),
                stated(of_path, "--root in-place, --root root-bone or --root-path"),
            ]
            .concat(),
            _ => stated(of_bone, "--root root-bone"),
        }
    }

    /// Options of stages and contacts, which other methods do not have; limbs that egocentric coordinates place have limits.
    /// A floor also tells `--ground auto` that it is far from zero.
    fn without_solver(&self) -> Vec<(&'static str, &'static str)> {
        let skin = (self.no_self_contact, "no-self-contact");
        let floor = (self.floor.is_some() && self.ground != GroundMode::Auto, "floor");
        let contacts = self.contacts != ContactMode::default();
        match (self.method, self.contacts) {
            (Method::Ik, ContactMode::Off) => {
                stated([skin, floor], "contacts, which --contacts off leaves out")
            }
            (Method::Ik, _) => Vec::new(),
            (method, _) => {
                let limits = self.limits != LimitMode::default() && method != Method::Egocentric;
                let goals = [
                    (self.limbs != LimbBlend::default(), "limbs"),
                    (self.arms.is_some(), "arms"),
                    (self.legs.is_some(), "legs"),
                    (limits, "limits"),
                    (self.solver != SolverKind::default(), "solver"),
                ];
                let contacts = [(contacts, "contacts"), skin, floor];
                [stated(goals, "--method ik"), stated(contacts, "--method ik")].concat()
            }
        }
    }

    /// Options of other formats. A BVH and a VRM animation are joints and motion alone.
    fn without_format(&self, format: Format) -> Vec<(&'static str, &'static str)> {
        let is_alone = matches!(format, Format::Bvh | Format::Vrma | Format::Npz);
        let alone = [(self.animation_only && is_alone, "animation-only")];
        let alone = stated(alone, "a .glb or .gltf to write: others hold nothing else");
        [alone, self.without_numbers(format)].concat()
    }

    /// Options of how numbers and names are written.
    fn without_numbers(&self, format: Format) -> Vec<(&'static str, &'static str)> {
        let of_bvh = [(self.decimals.is_some() && format != Format::Bvh, "decimals")];
        let of_bvh = stated(of_bvh, "a .bvh to write");
        if !matches!(format, Format::Bvh | Format::Npz) {
            return of_bvh;
        }
        let of_gltf = [
            (self.animation.is_some(), "animation"),
            (self.tolerance != KeyTolerance::default(), "tolerance"),
        ];
        [of_bvh, stated(of_gltf, "a .glb, .gltf, .vrm or .vrma to write")].concat()
    }
}

fn stated<const N: usize>(
    options: [(bool, &'static str); N],
    need: &'static str,
) -> Vec<(&'static str, &'static str)> {
    let stated = options.into_iter().filter(|option| option.0);
    stated.map(|(_, name)| (name, need)).collect()
}
