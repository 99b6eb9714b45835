//! What a user may choose.

/// How limbs follow the source: 0 by the directions of their bones, 1 by the place of their end
/// against shoulder or hip, scaled by the limb's length; anything between is a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbModes {
    /// Arms, 0 to 1.
    pub arms: f64,
    /// Legs, 0 to 1.
    pub legs: f64,
}

/// Which joint limits hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LimitMode {
    /// The default boxes, extended in each frame to hold the source's own rotations.
    #[default]
    Source,
    /// The default boxes.
    Human,
    /// The rig's, card's or user's limits; the default boxes where they say nothing.
    Strict,
}

/// Everything that a user may choose about a retarget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How limbs follow the source. Default: directions.
    pub limbs: LimbModes,
    /// Which joint limits hold. Default: `source`.
    pub limits: LimitMode,
}

impl Default for Options {
    fn default() -> Self {
        Self { limbs: LimbModes { arms: 0.0, legs: 0.0 }, limits: LimitMode::Source }
    }
}
