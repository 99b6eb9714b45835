//! Origins of the surfaces of segments.

use std::fmt;

/// Origin of the surface of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Origin {
    /// Its skin.
    Skin(Fit),
    /// The usual surface of the skeleton, with the reason where the segment has skin.
    Usual(Option<Misfit>),
}

impl Default for Origin {
    fn default() -> Self {
        Self::Usual(None)
    }
}

/// Figures of a field that was fitted to skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fit {
    /// Distance from the field that 68 % of the outermost skin is within, metres of a 1.7 m body.
    pub(crate) spread: f64,
    /// Share of the skin below the outermost layer, which is left out.
    pub(crate) inner: f64,
}

/// Reason for which skin is not that of its segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Misfit {
    /// The axis between the joints is not inside.
    Beside,
    /// It covers too little of the axis.
    Uncovered,
    /// It reaches too far beyond the joints.
    Beyond,
    /// It is too far from the axis.
    Far,
    /// That of the other side does not fit.
    OtherSide,
    /// That of too many segments does not fit.
    WholeMesh,
}

impl fmt::Display for Misfit {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        to.write_str(match self {
            Self::Beside => "the line between its joints is not inside",
            Self::Uncovered => "it covers less than 30 % of the line between its joints",
            Self::Beyond => "it reaches farther beyond its joints than they are apart",
            Self::Far => "it is farther from its joints than that of any body",
            Self::OtherSide => "that of the other side does not fit its joints",
            Self::WholeMesh => "that of too many other segments does not fit its joints",
        })
    }
}
