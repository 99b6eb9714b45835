//! A source and a target, analysed together: what all programs open, and retarget or compare from.

use super::compare::{ComparedPair, on_rig};
use super::job::RetargetJob;
use crate::align::{Plan, align};
use crate::error::Error;
use crate::options::{LoopRange, Options};
use crate::report::Report;
use rebone_body::{
    AnalysedPair, Anatomy, Character, CharacterError, analyse_characters, check_confidence,
};
use std::path::Path;
use std::sync::Arc;

/// A source and a target, analysed together. Copies share the analysis.
///
/// ```no_run
/// use rebone::{Options, Pair};
///
/// let pair = Pair::new([rebone::open("walk.bvh")?, rebone::open("hero.vrm")?], None)?;
/// let job = pair.job(&Options::default())?;
/// let (clip, report) = job.run(None)?;
/// assert_eq!(clip.len(), report.frames);
/// # Ok::<(), rebone::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pair {
    /// Source and target.
    pub characters: [Character; 2],
    /// What is known of both.
    pub analysed: Arc<AnalysedPair>,
}

impl Pair {
    /// Analyses both: each alone, then with the pairs of joints of a map, which is its name for messages and its text.
    ///
    /// # Errors
    /// When one of the two is not recognised as a humanoid, a card does not fit, or a line of the map is wrong.
    pub fn new(
        characters: [Character; 2],
        map: Option<(&Path, &str)>,
    ) -> Result<Self, CharacterError> {
        let analysed = Arc::new(analyse_characters(characters.each_ref(), map)?);
        Ok(Self { characters, analysed })
    }

    /// A source and a target, each analysed before by itself.
    pub fn of(characters: [Character; 2], anatomies: [Anatomy; 2]) -> Self {
        Self { characters, analysed: Arc::new(AnalysedPair::of(anatomies)) }
    }

    /// Another motion of the source's skeleton onto the target.
    #[must_use]
    pub fn with_source(&self, source: Character) -> Self {
        let target = self.characters[1].clone();
        Self { characters: [source, target], analysed: Arc::clone(&self.analysed) }
    }

    /// Checks that both are certain enough to use without asking.
    ///
    /// # Errors
    /// When a guess is too uncertain; holds the lines of a card that settle it.
    pub fn check_confidence(&self) -> Result<(), CharacterError> {
        let mut both = self.characters.iter().zip(&self.analysed.anatomies);
        both.try_for_each(|(own, anatomy)| check_confidence(own.path(), anatomy))
    }

    /// The plan of a retarget; with warnings of motion that cannot be carried over, and of pairs that were not used.
    pub fn plan(&self, options: &Options) -> (Plan, Vec<String>) {
        let [source, target] = &self.analysed.anatomies;
        let mut plan = align(source, target, options);
        let unused = plan.follow(&self.analysed.loose);
        let mut warnings = Report::new(&plan).warnings;
        warnings.extend(self.analysed.warnings.iter().cloned().chain(unused));
        (plan, warnings)
    }

    /// Prepares a retarget: checks confidence and options, takes the frames that are wanted at the rate that is wanted.
    ///
    /// # Errors
    /// When the analysis is of other skeletons, a guess is below confidence, the clip has no such frames, options do not fit,
    /// or the target's joints do not form chains.
    pub fn job(&self, options: &Options) -> Result<RetargetJob, Error> {
        RetargetJob::new(self.characters.clone(), &self.analysed, options)
    }

    /// Prepares the comparison of a result of this pair with its source: puts the result on the target, leaves only the
    /// frames of the source that it was made of, counted from 0, and brings both to one rate. The source of a result of
    /// `--loop` is cut to that cycle and closed, as for the result.
    ///
    /// # Errors
    /// When the analysis is of other skeletons, the result lacks joints of the target's body, one of the two has no motion
    /// or not this cycle, or a clip cannot be resampled.
    pub fn compare(
        &self,
        result: &Character,
        frames: (usize, Option<usize>),
        cycle: Option<LoopRange>,
    ) -> Result<ComparedPair, Error> {
        let [source, target] = &self.characters;
        let result = on_rig(target, &self.analysed.anatomies[1], result)?;
        let plan = self.plan(&Options::default());
        let anatomies = self.analysed.anatomies.each_ref();
        ComparedPair::new([source.clone(), result], anatomies, plan, frames, cycle)
    }
}
