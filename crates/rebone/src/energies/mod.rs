//! Energies over a whole clip: self-contacts, penetration, feet in contact, likeness to rotation copy and velocities of hands
//! and feet, as Villegas et al. (2021) weigh them against each other.

mod body;
mod contact_pairs;
mod objective;
mod penetration;
mod points;
#[cfg(test)]
mod tests;
mod windows;

pub(crate) use contact_pairs::ContactPairs;
pub(crate) use windows::EnergyProblem;
