//! rebone-ik
