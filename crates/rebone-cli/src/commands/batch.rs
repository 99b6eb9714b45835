//! `rebone batch`: libraries of clips.

use crate::args::{Batch, Template};
use crate::batch::batch_plan::{BatchPlan, settings};
use crate::batch::cards::Making;
use crate::batch::fault;
use crate::batch::gather::Parts;
use crate::batch::inputs::Found;
use crate::batch::manifest::{self, Fault, Line, Manifest, Status};
use crate::batch::options::Rules;
use crate::batch::output_lock::OutputLock;
use crate::batch::plan::{self, FileSurvey, Job, text};
use crate::batch::progress::Progress;
use crate::batch::summary::{self, BatchSummary};
use crate::batch::work::{BatchContext, ClipTask, Rig};
use crate::exit_code::{ExitCode, Failure};
use crate::interrupt;
use crate::paths;
use crate::terminal::Terminal;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Plans, makes cards, and does what is not done yet.
pub(crate) fn run(args: &Batch, terminal: &Terminal) -> Result<(), Failure> {
    interrupt::listen()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.jobs.map_or(0, |jobs| usize::from(jobs.get())));
    let pool = pool.build().map_err(anyhow::Error::new)?;
    paths::check_folder(&args.output)?;
    args.preview.iter().try_for_each(|folder| paths::check_folder(folder))?;
    let rules = Rules::read(args.rules.as_deref())?;
    let found = Found::new(&args.inputs, &args.output)?;
    let jobs = jobs(args, &found, &rules)?;
    for patterns in rules.unmatched(&found.clips, &args.targets) {
        terminal.warn(&format!(
            "the options for {patterns} hold for no clip: a * does not go beyond a folder, a ** does"
        ));
    }
    let lock = if args.dry_run { None } else { Some(OutputLock::acquire(&args.output)?) };
    let survey = pool.install(|| FileSurvey::new(&found.clips, &args.targets, &args.output))?;
    let cards = pool.install(|| plan::cards(&survey, found.clips.len(), making(args)))?;
    let batch = BatchPlan { args, found: &found, jobs: &jobs, survey: &survey, cards: &cards };
    match lock {
        None => summary::plan(&batch, terminal),
        Some(lock) => pool.install(|| work(&batch, &lock, terminal)),
    }
}

fn jobs(args: &Batch, found: &Found, rules: &Rules) -> Result<Vec<Job>, Failure> {
    let template = args.name.clone().unwrap_or(Template::usual(args.targets.len()));
    plan::jobs(found, &args.targets, (&template, rules), &settings(args), &args.output)
}

fn making(args: &Batch) -> Making<'_> {
    Making {
        output: &args.output,
        accept_guesses: args.options.accept_guesses,
        relearn: args.relearn,
        dry: args.dry_run,
    }
}

/// Refuses where a result would replace a file that a rig names.
fn check_beside(batch: &BatchPlan, rigs: &[Rig]) -> Result<(), Failure> {
    let outputs: Vec<_> = batch.jobs.iter().map(|job| batch.args.output.join(&job.place)).collect();
    for file in rigs.iter().flat_map(|rig| rig.loaded.files_beside()) {
        if let Some(output) = outputs.iter().find(|output| rebone::same_file(output, &file)) {
            paths::check_outputs(&[file], &[output])?;
        }
    }
    Ok(())
}

/// Does what is not done yet.
fn work(batch: &BatchPlan, lock: &OutputLock, terminal: &Terminal) -> Result<(), Failure> {
    let output = &batch.args.output;
    let rigs = batch.rigs()?;
    check_beside(batch, &rigs)?;
    let known = if batch.args.force { BTreeMap::new() } else { manifest::read(output)? };
    let mut kept: Vec<Line> = Vec::new();
    let mut tasks: BTreeMap<usize, ClipTask> = BTreeMap::new();
    for job in batch.jobs {
        match batch.origin(job) {
            Err(fault) => kept.push(batch.failed(job, fault)),
            Ok(origin)
                if plan::is_done(&known, &job.place, &origin, output) && batch.has_picture(job) =>
            {
                kept.extend(known.get(&text(&job.place)).cloned());
            }
            Ok(origin) => {
                let task = || task(batch, job.clip);
                tasks.entry(job.clip).or_insert_with(task).jobs.push((job, &rigs[job.rig], origin));
            }
        }
    }
    let skipped = batch.found.skipped.iter().map(|path| Line::new(path, Status::Skipped));
    let unread = batch.found.unread.iter().map(|(path, why)| Line {
        error: Some(Fault { kind: fault::UNREADABLE.to_owned(), message: why.clone() }),
        ..Line::new(path, Status::Failed)
    });
    let kept: Vec<Line> = kept.into_iter().chain(skipped).chain(unread).collect();
    tell_faults(&kept, terminal);
    let manifest = Manifest::begin(output, lock.folder(), kept.iter())?;
    let count = tasks.values().map(|task| task.jobs.len()).sum();
    let bytes = tasks.values().map(|task| task.bytes * task.jobs.len() as u64).sum();
    let progress = Progress::new(count, bytes, *terminal);
    let preview = batch.args.preview.as_deref();
    let context = BatchContext { output, lock, preview };
    let (lines, seconds) = all(tasks.into_values().collect(), &context, manifest, progress)?;
    let mut whole: Vec<&Line> = kept.iter().chain(&lines).collect();
    whole.sort_by_key(|line| (&line.input, &line.output));
    Manifest::begin(output, lock.folder(), whole.iter().copied())?;
    let interrupted = interrupt::check().is_err();
    let parts = Parts { output, lock, clips: &batch.found.clips, jobs: batch.jobs };
    let gathered = match batch.args.one_file && !interrupted {
        true => parts.gather(&rigs, &whole),
        false => Vec::new(),
    };
    let interrupted = interrupt::check().is_err();
    let ended = BatchSummary { kept, lines, seconds, interrupted, gathered };
    ended.tell(output, terminal)?;
    match ended.code() {
        ExitCode::Success => Ok(()),
        code => Err(Failure::silent(code)),
    }
}

fn task<'a>(batch: &BatchPlan<'a>, clip: usize) -> ClipTask<'a> {
    let own = &batch.found.clips[clip];
    let file = batch.survey.place[clip].as_ref().ok();
    let card = file.and_then(|&file| batch.cards[batch.survey.kind_of[file]].as_ref().ok());
    let bytes = std::fs::metadata(&own.path).map_or(0, |file| file.len());
    ClipTask { clip: own, bytes, card, jobs: Vec::new() }
}

/// Says why something cannot be done, each reason once.
fn tell_faults(lines: &[Line], terminal: &Terminal) {
    let faults = lines.iter().filter_map(|line| line.error.as_ref());
    let reasons: BTreeSet<&str> = faults.map(|fault| fault.message.as_str()).collect();
    reasons.into_iter().for_each(|reason| terminal.warn(reason));
}

/// Does all tasks, on all threads; returns the lines that were added to the manifest, and the time.
fn all(
    tasks: Vec<ClipTask>,
    context: &BatchContext,
    manifest: Manifest,
    progress: Progress,
) -> Result<(Vec<Line>, f64), Failure> {
    let told = Mutex::new((manifest, progress, Vec::new(), None::<anyhow::Error>));
    let tell = |task: &ClipTask, line: Line| {
        let Ok(mut told) = told.lock() else { return };
        let (manifest, progress, lines, broken) = &mut *told;
        let written = manifest.add(&line);
        let said = progress.add(&line, task.bytes).map_err(anyhow::Error::new);
        if let Err(error) = written.and(said) {
            interrupt::stop();
            *broken = Some(error);
        }
        lines.push(line);
    };
    let next = AtomicUsize::new(0);
    // No thread ever holds two clips: whoever waits for others, or finds no clip left, helps with blocks of
    // frames.
    rayon::broadcast(|_| {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            task.run(context, &mut |line| tell(task, line));
        }
    });
    let (_, progress, lines, broken) =
        told.into_inner().map_err(|_| anyhow::anyhow!("a worker broke off"))?;
    let seconds = progress.finish();
    match broken {
        Some(error) => Err(error.into()),
        None => Ok((lines, seconds)),
    }
}
