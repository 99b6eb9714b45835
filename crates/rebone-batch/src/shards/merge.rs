//! Merges the manifests of shards into one, line by line: memory does not grow with their number of lines.

use crate::error::{BatchError, Fault, check, context};
use crate::record::lock::{LockScope, OutputLock};
use crate::record::manifest::{self, JobStatus, ManifestLine, ResultQuality};
use crate::record::shard::Shard;
use crate::shards::files::ShardFiles;
use crate::shards::reader::{ShardLine, ShardReader};
use rebone::skeleton::AtomicFile;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Bytes of all shards that are held at once, but for lines that are longer than their share.
const MAX_BYTES: usize = 32 << 20;

/// Largest number of results that are named for a look.
const MAX_WORST: usize = 10;
/// Largest number of options that are told apart.
const MAX_OPTIONS: usize = 16;

/// Shards in one manifest.
#[derive(Clone, Debug, Default)]
pub struct MergedShards {
    /// Path of the merged manifest.
    pub manifest: PathBuf,
    /// Number of shards of the folder.
    pub shards: u32,
    /// Numbers of shards that were never begun.
    pub missing: Vec<u32>,
    /// Numbers of shards that are at work, or were killed.
    pub unfinished: Vec<u32>,
    /// Numbers of shards with results of other options, or of another version of the program, than most results have.
    pub mixed: Vec<u32>,
    /// Number of lines by their status: done, failed, without a card, skipped.
    pub counts: [usize; 4],
    /// Number of results by their grades.
    pub verdicts: BTreeMap<String, usize>,
    /// Results to look at first: FAIL before LOOK, each the lowest score first.
    pub worst: Vec<WorstResult>,
    /// Number of results and their shards, by the hash of their options.
    options: BTreeMap<String, (usize, BTreeSet<u32>)>,
}

/// A result to look at.
#[derive(Clone, Debug, PartialEq)]
pub struct WorstResult {
    /// Grade.
    pub verdict: String,
    /// Score from 0, the worst, to 1.
    pub score: f64,
    /// Path below the output folder.
    pub output: PathBuf,
    /// Worst finding.
    pub reason: Option<String>,
}

impl MergedShards {
    /// Returns whether all shards are in the manifest.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.unfinished.is_empty()
    }

    /// Counts a line that was written.
    fn count(&mut self, own: &ShardLine) {
        let line = &own.line;
        self.count_options(line, own.shard);
        let status = match line.status {
            JobStatus::Done | JobStatus::Merged => 0,
            JobStatus::Failed => 1,
            JobStatus::NoCard => 2,
            JobStatus::Skipped => 3,
        };
        self.counts[status] += 1;
        let Some(ResultQuality { verdict: Some(verdict), score: Some(score), reason, .. }) =
            &line.result
        else {
            return;
        };
        *self.verdicts.entry(verdict.clone()).or_default() += 1;
        let Some(output) = line.output.clone().filter(|_| verdict != "PASS") else { return };
        let own =
            WorstResult { verdict: verdict.clone(), score: *score, output, reason: reason.clone() };
        let order = |a: &WorstResult, b: &WorstResult| {
            let words = a.verdict.cmp(&b.verdict);
            words.then(a.score.total_cmp(&b.score)).then_with(|| a.output.cmp(&b.output))
        };
        let place = self.worst.partition_point(|other| order(other, &own).is_lt());
        self.worst.insert(place, own);
        self.worst.truncate(MAX_WORST);
    }

    fn count_options(&mut self, line: &ManifestLine, shard: Shard) {
        let is_done = line.status == JobStatus::Done;
        let Some(from) = line.from.as_ref().filter(|_| is_done) else { return };
        if !self.options.contains_key(&from.options) {
            if self.options.len() == MAX_OPTIONS {
                return;
            }
            self.options.insert(from.options.clone(), <_>::default());
        }
        if let Some((count, shards)) = self.options.get_mut(&from.options) {
            *count += 1;
            shards.insert(shard.number());
        }
    }

    /// Names the shards whose results have other options than most.
    fn name_mixed(&mut self) {
        let mut all: Vec<_> = std::mem::take(&mut self.options).into_values().collect();
        all.sort_by_key(|(count, _)| Reverse(*count));
        let others: BTreeSet<u32> =
            all.into_iter().skip(1).flat_map(|(_, shards)| shards).collect();
        self.mixed = others.into_iter().collect();
    }
}

/// Merges the manifests of all finished shards of an output folder into its manifest, sorted by input and output, each clip on
/// each rig once.
///
/// # Errors
/// When the folder has no shards, none is finished, two shards made different results of one clip, or the work is stopped.
/// Then the manifest stays as it was.
pub fn merge_shards(output: &Path, stop: &AtomicBool) -> Result<MergedShards, BatchError> {
    let Some(shards) = ShardFiles::of(output)? else {
        return Err(BatchError::Request(format!(
            "{} has no shards: expected the output folder of `rebone batch --shard K/N`",
            output.display()
        )));
    };
    let lock = OutputLock::acquire(output, LockScope::Merge)?;
    let path = output.join(manifest::NAME);
    check_manifest(&path)?;
    let mut merged =
        MergedShards { manifest: path.clone(), shards: shards.count, ..MergedShards::default() };
    let mut readers = Vec::new();
    let piece = (MAX_BYTES / shards.count as usize).clamp(1 << 10, 1 << 16);
    for (shard, place) in shards.all() {
        match () {
            () if place.current() != place.path() => merged.unfinished.push(shard.number()),
            () if !place.path().exists() => merged.missing.push(shard.number()),
            () => readers.push(ShardReader::new(shard, place.path().to_owned(), piece)?),
        }
    }
    if readers.is_empty() {
        let output = output.display();
        return Err(BatchError::Input(format!(
            "no shard of {output} is finished: nothing to merge"
        )));
    }
    let written = write(&path, lock.folder(), &mut readers, &mut merged, stop);
    context(written, || format!("cannot write {}", path.display())).map_err(Fault::named_disk)?;
    merged.name_mixed();
    Ok(merged)
}

/// Refuses to replace a file that is no manifest.
fn check_manifest(path: &Path) -> Result<(), BatchError> {
    let is_other = path.exists() && !manifest::is_manifest(path) && path.metadata()?.len() > 0;
    match is_other {
        true => Err(BatchError::Request(format!(
            "{} is no manifest of a batch: move it",
            path.display()
        ))),
        false => Ok(()),
    }
}

/// Writes the lines of all shards into the manifest, which appears when it is complete.
fn write(
    path: &Path,
    temporary: &Path,
    readers: &mut [ShardReader],
    merged: &mut MergedShards,
    stop: &AtomicBool,
) -> Result<(), BatchError> {
    let mut file = AtomicFile::create_in(path, temporary)?;
    let mut heads: Vec<Option<ShardLine>> =
        readers.iter_mut().map(ShardReader::next).collect::<Result<_, _>>()?;
    let key = |index: usize, line: &ShardLine| Reverse((line.key.0.clone(), index));
    let mut order: BinaryHeap<_> =
        heads.iter().enumerate().filter_map(|(k, line)| Some(key(k, line.as_ref()?))).collect();
    let mut group: Vec<ShardLine> = Vec::new();
    while let Some(Reverse((input, index))) = order.pop() {
        check(stop)?;
        if group.last().is_some_and(|last| last.key.0 != input) {
            write_group(&mut group, &mut file, merged)?;
        }
        group.extend(heads[index].take());
        heads[index] = readers[index].next()?;
        order.extend(heads[index].as_ref().map(|line| key(index, line)));
    }
    write_group(&mut group, &mut file, merged)?;
    file.sync()?;
    Ok(file.commit()?)
}

/// Writes the lines of one input, those that several shards have once, and empties the list.
fn write_group(
    group: &mut Vec<ShardLine>,
    file: &mut AtomicFile,
    merged: &mut MergedShards,
) -> Result<(), BatchError> {
    let shards: BTreeSet<Shard> = group.iter().map(|own| own.shard).collect();
    if shards.len() > 1 {
        *group = once(std::mem::take(group))?;
    }
    group.sort_by(|a, b| a.key.cmp(&b.key));
    group.dedup_by(|own, before| own.bytes == before.bytes);
    for own in group.drain(..) {
        merged.count(&own);
        file.write_all(&own.bytes)?;
    }
    Ok(())
}

/// Keeps the lines of one shard for each rig: of the first that made the result, else of the first.
///
/// # Errors
/// When two shards made different results.
fn once(group: Vec<ShardLine>) -> Result<Vec<ShardLine>, BatchError> {
    let mut of_rigs: BTreeMap<_, BTreeMap<Shard, Vec<ShardLine>>> = BTreeMap::new();
    for own in group {
        let part = own.line.part.as_ref().map(|part| part.index);
        let rig = (part, own.line.target.clone());
        of_rigs.entry(rig).or_default().entry(own.shard).or_default().push(own);
    }
    let is_done = |own: &&ShardLine| own.line.status == JobStatus::Done;
    let mut kept = Vec::new();
    for shards in of_rigs.into_values() {
        let mut made = shards.values().flatten().filter(is_done);
        if let Some(first) = made.next() {
            made.try_for_each(|other| check_same(first, other))?;
        }
        let has_result = |lines: &Vec<ShardLine>| lines.iter().any(|own| is_done(&own));
        let best = shards.iter().find(|(_, lines)| has_result(lines)).or(shards.iter().next());
        let best = best.map(|(shard, _)| *shard);
        let own = shards.into_iter().find(|(shard, _)| Some(*shard) == best);
        kept.extend(own.into_iter().flat_map(|(_, lines)| lines));
    }
    Ok(kept)
}

/// Refuses two results of one clip on one rig that differ; one shard may have several, under other names.
fn check_same(first: &ShardLine, other: &ShardLine) -> Result<(), BatchError> {
    let is_same = match (&first.line.from, &other.line.from) {
        (Some(own), Some(from)) => own.is_same(from) && first.line.file == other.line.file,
        _ => first.line.file == other.line.file,
    };
    if is_same || first.shard == other.shard {
        return Ok(());
    }
    let [a, b] = [first, other].map(|own| own.shard);
    let target = first.line.target.as_deref().unwrap_or(Path::new("")).display();
    Err(BatchError::Input(format!(
        "{} onto {target}: the shards {a} and {b} made different results: make both again with the same inputs, options and \
         cards, or remove the manifest of one",
        first.line.input.display()
    )))
}
