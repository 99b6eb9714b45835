//! Egocentric coordinates: places of hands and feet relative to all parts of the body's surface, as Molla et al. and
//! Tonoli et al. map them from one body to another.

mod basic_skeleton;
mod body;
mod components;
mod coordinates;
mod map;

pub(crate) use map::EgocentricMap;
