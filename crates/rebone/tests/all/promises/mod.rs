//! The promises that the library makes, held on its own samples and, where `REBONE_CORPUS` names the
//! folder of real files, on those.

mod support;

mod continuity;

mod edits;

mod invariance;

mod itself;

mod limbs;

mod limits;
