//! All options of a retarget. The program's arguments, rules of a batch, JSON and `docs/options.md` come from
//! [`Options`].

mod choices;
#[cfg(feature = "files")]
mod unused;
mod values;

pub use choices::{
    BodyRegion, ContactMode, GroundMode, LeadingPose, Method, RootMotion, RootStart, TravelScale,
};
pub use values::{FrameRange, KeyTolerance, LimbBlend, LoopRange};

use rebone_body::{LimitMode, ValueError};
use rebone_ik::SolverKind;
use serde::{Deserialize, Serialize};

/// All options of a retarget.
///
/// JSON and TOML use the names and values of the command line, without the dashes before a name; an option that is
/// not named has its default.
///
/// ```
/// use rebone::{ContactMode, Options};
///
/// let options: Options = serde_json::from_str(r#"{ "contacts": "all", "fps": 60 }"#)?;
/// assert_eq!(options.contacts, ContactMode::All);
/// assert_eq!(options, Options { contacts: ContactMode::All, fps: Some(60.0), ..Options::default() });
/// let error = serde_json::from_str::<Options>(r#"{ "fps": 2 }"#).unwrap_err();
/// assert!(error.to_string().starts_with("found 2, expected 4 to 1000 frames a second"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::Args), command(next_help_heading = "Retargeting"))]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// Retargeting method. `copy` and `bind` copy rotations, `egocentric` and `energies` are published methods for self-contacts, all to
    /// compare.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "METHOD", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub method: Method,
    /// Goal of arms and legs: the `direction` of their bones, the `position` of hands and feet, or a blend from 0
    /// (direction) to 1 (position).
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE", default_value_t))]
    pub limbs: LimbBlend,
    /// Goal of the arms. Default: that of --limbs.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE"))]
    pub arms: Option<LimbBlend>,
    /// Goal of the legs. Default: that of --limbs.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODE"))]
    pub legs: Option<LimbBlend>,
    /// Joint limits.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub limits: LimitMode,
    /// Solver of the stages: bounded Levenberg-Marquardt (`lm`); others to compare: steps along the Jacobian's transpose,
    /// or argmin's simplex.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", default_value_t, value_parser = solvers()))]
    #[serde(with = "values::solver")]
    pub solver: SolverKind,
    /// Contacts of the source that the result keeps, with --method ik.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub contacts: ContactMode,
    /// Leave self-contacts as they come. Without it hands keep their places over the own body and over each other, and arms go
    /// no deeper into the body than the source's, where both files have a mesh; where only the target has one, hands keep their
    /// places over the other arm, and on the body where they rest at the end of a bent arm.
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(deserialize_with = "values::switch")]
    pub no_self_contact: bool,
    /// Height of the source's floor, in its file's unit, along its up axis. Default: estimated.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "HEIGHT", allow_negative_numbers = true, value_parser = values::height)
    )]
    #[serde(deserialize_with = "values::height_option")]
    pub floor: Option<f64>,
    /// Joint that holds the root motion.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub root: RootMotion,
    /// Give the result a root bone, `root`, above the skeleton's top joint, where the rig has none; with --root
    /// root-bone.
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(deserialize_with = "values::switch")]
    pub add_root: bool,
    /// Begin of the root bone's path, with --root root-bone.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub root_start: RootStart,
    /// Standard deviation of the low-pass filter of the root path, seconds: the sway of steps stays in the body.
    /// Default: 0.2.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = values::smoothing)
    )]
    #[serde(deserialize_with = "values::smoothing_option")]
    pub root_smoothing: Option<f64>,
    /// Scale of the horizontal travel.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub travel: TravelScale,
    /// Frames per second of the result. Default: those of the source.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::rate)
    )]
    #[serde(deserialize_with = "values::rate_option")]
    pub fps: Option<f64>,
    /// Height of the result's floor.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub ground: GroundMode,
    /// Animation in the target's file that joints play which do not follow the source: its name, or its number, counted
    /// from 0. It loops.
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    #[serde(deserialize_with = "values::text_option")]
    pub base: Option<String>,
    /// Retarget only these regions of the body: all others play --base, or keep the rest pose.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_enum, value_name = "REGION", value_delimiter = ',')
    )]
    #[serde(deserialize_with = "values::names")]
    pub only: Vec<BodyRegion>,
    /// First frame of the source that is a calibration pose, often a T pose.
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "MODE", default_value_t))]
    #[serde(deserialize_with = "values::named")]
    pub leading_pose: LeadingPose,
    /// Frames of the source to use, counted from 0, B not included: `A..B`, `A..`, `..B`. Default: all.
    #[cfg_attr(feature = "clap", arg(long, value_name = "A..B"))]
    pub frames: Option<FrameRange>,
    /// Retarget one cycle and close its seam, so that it loops: the best one, or frames A..B of the source, counted from
    /// 0, of which B repeats A. The last frame of the result is its first, moved along the floor.
    #[cfg_attr(
        feature = "clap",
        arg(long = "loop", value_name = "A..B", num_args = 0..=1, default_missing_value = "auto")
    )]
    #[serde(rename = "loop", deserialize_with = "values::cycle_option")]
    pub cycle: Option<LoopRange>,
    /// Use guesses below confidence, instead of stopping with exit code 4.
    #[cfg_attr(feature = "clap", arg(long))]
    #[serde(deserialize_with = "values::switch")]
    pub accept_guesses: bool,
    /// Name of the animation that is written, in glTF. Default: the name of the source's clip, or of its file.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME", help_heading = "Files"))]
    #[serde(deserialize_with = "values::text_option")]
    pub animation: Option<String>,
    /// Decimals of numbers, in BVH. Default: as many as read back unchanged.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", help_heading = "Files", value_parser = values::decimals)
    )]
    #[serde(deserialize_with = "values::decimals_option")]
    pub decimals: Option<u8>,
    /// Largest distance of joints from the result, in glTF: degrees and millimetres, in world space. Keys are reduced
    /// within it; 0,0 keeps all keys.
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "DEG,MM", help_heading = "Files", default_value_t)
    )]
    pub tolerance: KeyTolerance,
    /// Write joints and motion alone: no meshes, materials and other animations of a glTF or VRM.
    #[cfg_attr(feature = "clap", arg(long, help_heading = "Files"))]
    #[serde(deserialize_with = "values::switch")]
    pub animation_only: bool,
}

impl Options {
    /// Checks that numbers are within their bounds, as reading from text or JSON does.
    ///
    /// ```
    /// use rebone::Options;
    ///
    /// let error = Options { fps: Some(1e6), ..Options::default() }.check().unwrap_err();
    /// assert_eq!(error.to_string(), "fps: found 1000000, expected 4 to 1000 frames a second");
    /// ```
    ///
    /// # Errors
    /// The first option that is out of bounds.
    pub fn check(&self) -> Result<(), ValueError> {
        let named = |name: &str, result: Result<(), ValueError>| {
            result.map_err(|error| ValueError(format!("{name}: {error}")))
        };
        let blends = [("limbs", Some(self.limbs)), ("arms", self.arms), ("legs", self.legs)];
        for (name, blend) in blends {
            let text = blend.unwrap_or_default().0.to_string();
            named(name, text.parse::<LimbBlend>().map(drop))?;
        }
        let range =
            self.frames.map_or(Ok(()), |frames| frames.to_string().parse::<FrameRange>().map(drop));
        named("frames", range)?;
        let cycle =
            self.cycle.map_or(Ok(()), |cycle| cycle.to_string().parse::<LoopRange>().map(drop));
        named("loop", cycle)?;
        named("tolerance", self.tolerance.to_string().parse::<KeyTolerance>().map(drop))?;
        let checked = |value: Option<f64>, parse: fn(&str) -> Result<f64, ValueError>| {
            value.map_or(Ok(()), |value| parse(&value.to_string()).map(drop))
        };
        named("fps", checked(self.fps, values::rate))?;
        named("floor", checked(self.floor, values::height))?;
        named("root-smoothing", checked(self.root_smoothing, values::smoothing))?;
        let decimals = self.decimals.map_or(Ok(0), |count| values::decimals(&count.to_string()));
        named("decimals", decimals.map(drop))
    }

    /// Goal of the arms, 0 to 1.
    pub(crate) fn arm_blend(&self) -> f64 {
        self.arms.unwrap_or(self.limbs).0
    }

    /// Goal of the legs, 0 to 1.
    pub(crate) fn leg_blend(&self) -> f64 {
        self.legs.unwrap_or(self.limbs).0
    }
}

#[cfg(feature = "clap")]
fn solvers() -> impl clap::builder::TypedValueParser<Value = SolverKind> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(SolverKind::ALL.map(SolverKind::name))
        .try_map(|name| name.parse::<SolverKind>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_back_from_json() {
        let options = Options {
            limbs: LimbBlend(0.3),
            arms: Some(LimbBlend(1.0)),
            frames: Some(FrameRange { start: 3, end: None }),
            only: vec![BodyRegion::Upper],
            floor: Some(-0.1),
            decimals: Some(3),
            ..Options::default()
        };
        let text = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
        assert!(options.check().is_ok());
    }

    #[test]
    fn values_may_be_written_as_json_and_toml_have_them() {
        let read = |json: &str| serde_json::from_str::<Options>(json).unwrap();
        assert_eq!(read(r#"{"loop": true}"#).cycle, Some(LoopRange::Auto));
        assert_eq!(read(r#"{"loop": false}"#).cycle, None);
        assert_eq!(read(r#"{"loop": null}"#).cycle, None);
        let cycle = Some(LoopRange::Frames { first: 3, last: 9 });
        assert_eq!(read(r#"{"loop": "3..9"}"#).cycle, cycle);
        assert!(read(r#"{"add-root": true}"#).add_root);
        assert!(!read(r#"{"add-root": "false"}"#).add_root);
        assert_eq!(read(r#"{"fps": "30"}"#).fps, Some(30.0));
        assert_eq!(read(r#"{"decimals": "4"}"#).decimals, Some(4));
        assert_eq!(read(r#"{"base": 0}"#).base.as_deref(), Some("0"));
        let regions = [BodyRegion::Arms, BodyRegion::Legs];
        assert_eq!(read(r#"{"only": "arms, legs"}"#).only, regions);
        assert_eq!(read(r#"{"only": ["arms", "legs"]}"#).only, regions);
    }

    #[test]
    fn wrong_values_say_what_is_expected() {
        for (json, expected) in [
            (r#"{"decimals": 30}"#, "found 30, expected 0 to 17"),
            (r#"{"fps": 2}"#, "found 2, expected 4 to 1000 frames a second"),
            (r#"{"limbs": 1.5}"#, "expected `direction`, `position` or a number from 0 to 1"),
            (r#"{"limb": 1}"#, "unknown field `limb`, expected one of"),
            (r#"{"solver": "newton"}"#, "found \"newton\", expected one of lm"),
            (r#"{"contacts": "some"}"#, "unknown variant `some`, expected one of"),
            (r#"{"contacts": false}"#, "unknown variant `false`, expected one of `off`, `soft`"),
            (r#"{"leading-pose": true}"#, "unknown variant `true`, expected `keep` or `drop`"),
            (r#"{"only": "arm"}"#, "unknown variant `arm`, expected one of `upper`, `lower`"),
            (r#"{"only": true}"#, "unknown variant `true`, expected one of `upper`, `lower`"),
            (r#"{"add-root": "yes"}"#, "found \"yes\", expected true or false"),
            (r#"{"fps": "fast"}"#, "found fast, expected 4 to 1000 frames a second"),
            (r#"{"fps": true}"#, "found true, expected 4 to 1000 frames a second"),
            (r#"{"base": true}"#, "found true, expected a text or a number"),
            (r#"{"loop": "best"}"#, "found \"best\", expected true, false, \"auto\", or \"A..B\""),
        ] {
            let error = serde_json::from_str::<Options>(json).unwrap_err().to_string();
            assert!(error.contains(expected), "{json}: {error}");
        }
    }
}
