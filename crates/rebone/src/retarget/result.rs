//! The result of a retarget.

use super::job::RetargetJob;
use crate::align::Plan;
use crate::error::Error;
use crate::report::{Report, RootPath};
use rebone_skeleton::{Clip, Format};
use std::path::Path;

/// The result of a retarget: the source's motion on the target's skeleton, and its report.
///
/// ```
/// # use rebone::skeleton::bvh::{Hierarchy, WriteOptions, write_clip};
/// # let bytes = |motion: &rebone::skeleton::Motion| {
/// #     let hierarchy = Hierarchy::from_skeleton(&motion.skeleton);
/// #     write_clip(Vec::new(), &hierarchy, &motion.clip, WriteOptions::default())
/// # };
/// # let (walk, rig) = (bytes(&rebone_samples::walk().motion)?, bytes(&rebone_samples::rigs()[0].motion)?);
/// use rebone::Options;
/// use rebone::skeleton::Format;
///
/// let source = rebone::parse("walk.bvh", walk)?;
/// let target = rebone::parse("rig.bvh", rig)?;
/// let result = rebone::retarget(&source, &target, &Options::default())?;
/// assert_eq!(result.clip().len(), source.clip().len());
/// if let Some(verdict) = &result.report().verdict {
///     println!("{} {:.2}", verdict.verdict, verdict.score);
/// }
/// assert!(result.write(Format::Glb)?.starts_with(b"glTF"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Retargeted {
    job: RetargetJob,
    clip: Clip,
    report: Report,
}

impl Retargeted {
    /// Solves all frames of a job and keeps them.
    ///
    /// # Errors
    /// [`Error::Stopped`], which no watch asks for here.
    pub fn new(job: RetargetJob) -> Result<Self, Error> {
        let job = job.with_root_path();
        let (clip, report) = job.run(None)?;
        Ok(Self { job, clip, report })
    }

    /// The motion on the target's skeleton.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }

    /// Goals, contacts, limits, verdict and warnings.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The path of the body over the floor; `None` for a clip without frames.
    pub fn root_path(&self) -> Option<&RootPath> {
        self.report.root_path.as_ref()
    }

    /// The correspondence of the two bodies.
    pub fn plan(&self) -> &Plan {
        self.job.plan()
    }

    /// The file in a format, as bytes.
    ///
    /// # Errors
    /// When the format cannot hold the result, as a VRM where the target is none.
    pub fn write(&self, format: Format) -> Result<Vec<u8>, Error> {
        self.job.check_format(format, Path::new("the result"))?;
        let mut bytes = Vec::new();
        self.job.write_clip(format, &self.clip, &self.report, &mut bytes)?;
        Ok(bytes)
    }

    /// Writes the file at `path` in the format that its extension says: it appears as a whole, or not at all.
    ///
    /// # Errors
    /// When the extension is of no format that is written, the file is one of the inputs, or it cannot be written.
    #[cfg(feature = "disk")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.job.save_clip(&self.clip, &self.report, path.as_ref())
    }
}
