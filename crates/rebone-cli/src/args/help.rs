//! Examples and rules at the end of `--help`.

pub(super) const PROGRAM: &str = "\
Examples:
  rebone demo                                       the main job on a built-in sample
  rebone retarget walk.bvh hero.bvh -o hero-walk.bvh
  rebone inspect hero.bvh                           the role of each joint
  rebone preview walk.bvh hero-walk.bvh -o walk.png

Exit codes:
  0  success
  1  an input cannot be used
  2  wrong usage
  3  part of a batch failed
  4  a guess is below confidence: nothing is written, the message holds the card line to add
  129  its terminal was closed (SIGHUP): as 130
  130  stopped by Ctrl-C: finished results stay, no file is left incomplete
  143  told to terminate (SIGTERM): likewise

Colour is used on terminals only, and never when NO_COLOR is set.";

pub(super) const RETARGET: &str = "\
Examples:
  rebone retarget walk.bvh hero.bvh -o hero-walk.bvh
  rebone retarget walk.bvh hero.bvh -o out.bvh --preview out.png --report out.json
  rebone retarget walk.bvh hero.glb -o out.glb --preview out.gif    source and result as they move
  rebone retarget climb.bvh hero.bvh -o out.bvh --arms position     keeps the positions of the hands
  rebone retarget climb.bvh hero.bvh -o out.bvh --legs 0.5          blends direction and position
  rebone retarget scan.bvh hero.bvh -o out.bvh --up z               the source's up is +Z
  rebone retarget walk.bvh hero.bvh -o out.bvh --unit target=cm     the target is in centimetres
  rebone retarget walk.bvh hero.bvh -o out.bvh --pose-from walk.bvh:0
  rebone retarget walk.bvh hero.bvh -o out.bvh --target-card hero.toml
  rebone retarget walk.bvh hero.bvh -o out.bvh --map walk-hero.tsv
  rebone retarget wave.bvh hero.glb -o out.glb --only upper --base Walk
        the upper body waves, the rest plays the animation Walk of hero.glb

--up, --facing, --unit, --pose-from, --skin and --joint apply to the source; `target=` before the value applies them to \
the target. Each may be given once for the source and once for the target.

A map holds one pair per line, a joint of the source, a tab, and the joint of the target with the same \
role; or it is a JSON object: {\"LeftArm\": \"j40\"}. Joints are named as in cards. The joint whose role has \
the higher confidence decides; a pair of joints with two different certain roles is not used, with a \
warning. Lines that begin with # are comments, except for a joint's number: #12 and a tab.

The source and the target are never changed; an existing output is replaced when the new one is complete. A file that is \
no motion, or in another format than the output, is replaced with --overwrite only.";

pub(super) const INSPECT: &str = "\
Examples:
  rebone inspect hero.bvh
  rebone inspect hero.bvh -v          with the reason for each role and the next best joint
  rebone inspect hero.bvh --preview hero.png
  rebone inspect hero.glb --surface --preview surface.png
  rebone inspect walk.bvh hero.bvh --preview both.png
  rebone inspect walk.bvh hero.bvh --map walk-hero.tsv
  rebone inspect walk.bvh hero.bvh --source-card walk.toml --target-card hero.toml
  rebone inspect hero.bvh --json

--card, --up, --facing, --unit, --pose-from, --skin and --joint apply to the first file, the source; `target=` before \
the value of the last five applies them to the second, the target.

Roles with a confidence below 50 % are marked with !: retarget asks for them.

In the picture X is red, Y green, Z blue. In the T pose the axes are canonical by construction; where a bone, a \
sole or a palm does not follow them, the calibration is wrong.

With --surface: origin (skin, the default of a body of these proportions, or card where [surface] of a card states it), circumference half way along, length, spread (a \
standard deviation of the skin, or of people) and the share of inner layers such as eyes or a body under clothes.";

pub(super) const CARD: &str = "\
Examples:
  rebone card hero.bvh -o hero.toml
  rebone card hero.bvh --learn walk.bvh run.bvh jump.bvh -o hero.toml
  rebone card walk.bvh -o walk.toml --level-feet 12                        both feet stand flat in frame 12
  rebone card walk.bvh -o walk.toml --level-feet left=12 --level-feet right=30
  rebone card walk.bvh -o walk.toml --level-feet auto                      in frames in which the feet stand
  rebone card hero.bvh -o hero.toml --mirror left                          the right side as the left one
  rebone retarget walk.bvh hero.bvh -o out.bvh --target-card hero.toml

An existing card is updated: the part [generated] is written anew, everything else stays. With --card \
the given card is copied, and only what --learn finds and what --level-feet and --mirror correct is new.

Corrections by --level-feet and --mirror stay in [generated] when the card is updated. Lines of yours in [axes] go \
before them: they stay, with a warning. Soles that --level-feet names are not mirrored.

A card names a joint by its name, by its path (Hips/Spine), or by its number (#12) where names are not unique.";

pub(super) const EXPORT: &str = "\
Examples:
  rebone export walk.bvh hero.glb -o rotations.json
  rebone export walk.bvh hero.glb -o rotations.json --method bind --target-card hero.toml

The file holds for each joint of the target its source joint, the rotations before and after it, and the bind pose \
with the source's axes; docs/rotation-table.md says how to use it. It is rotation copy, without \
goals and limits: an engine gets what `rebone retarget --method copy` or `bind` writes.";

pub(super) const PREVIEW: &str = "\
Examples:
  rebone preview walk.bvh -o walk.png
  rebone preview walk.bvh hero-walk.bvh -o both.png --frames 100..200
  rebone preview hero.glb -o run.png --clip Run
  rebone preview walk.bvh a.glb b.glb c.glb -o walks.gif            as they move, side by side";

pub(super) const COMPLETIONS: &str = "\
Examples:
  rebone completions bash > ~/.local/share/bash-completion/completions/rebone
  rebone completions zsh > ~/.zfunc/_rebone
  rebone completions fish > ~/.config/fish/completions/rebone.fish";

/// Below `rebone batch --help`.
pub(super) const BATCH: &str = "\
Examples:
  rebone batch clips --target hero.bvh -o out
  rebone batch 'cmu/**/*.bvh' -t hero.bvh -t giant.bvh -o out --name '{target}/{stem}'

  rebone batch clips -t hero.bvh -o out --cards-only         cards first, then shards on any number of machines,
  rebone batch clips -t hero.bvh -o out --shard 17/512       each as often as wanted: docs/cluster.md
  rebone merge out

Each rig class gets one card, in FOLDER/cards, learned from a sample of its clips and then kept: correct a \
line there and run again, and all results that depend on it are redone. FOLDER/manifest.jsonl has a line for \
each result, with hashes of all that it depends on; a run that was stopped continues where it ended.

Options for some of the clips, --options FILE (later tables over earlier ones):
  [[clips]]
  files = ['dance/**', '**/*_zombie.bvh']  # the clip's path, as found or below its input
  targets = 'giant'                      # names of rigs; all without it
  limbs = 'position'                     # options as on the command line: docs/options.md
  frames = '10..'                        # skip = true leaves the clips out

Exit code: 0 all done, 3 some failed, 1 all failed, 2 wrong usage, 4 a rig's guesses are below confidence, \
130 stopped by Ctrl-C.";

/// Below `rebone merge --help`.
pub(super) const MERGE: &str = "\
Examples:
  rebone merge out

FOLDER/manifest.jsonl gets the lines of FOLDER/manifest/K-of-N.jsonl, each clip and rig once, sorted. `rebone report`, \
`rebone studio --library` and a batch without --shard read it. Shards that were never begun are named as missing, those \
at work or killed as unfinished: make them and merge again. Two shards with different results of one clip are an error.

Exit code: 0 all shards merged, 3 some are missing, 1 nothing merged.";

/// Below `rebone doctor --help`.
pub(super) const DOCTOR: &str = "\
Examples:
  rebone doctor clips/*.bvh
  rebone doctor walk.bvh --fix -o walk-clean.bvh

Defects of a motion: jumps (a joint rotates by more than 45 degrees from one frame to the next, and by 8 times \
the usual amount around it), spikes (15 degrees, there and back), teleports of the root (a tenth of the \
body), and joints whose distance from their parent changes by more than 1 %.

A repaired copy has unique joint names, words and numbers as all programs read them, an end site below each \
last joint, and the right number of frames. Its motion is that of the file, defects included.

Exit code: 0 all files were read, with or without defects; 3 some could not be read, 1 none could.";

/// Below `rebone check --help`.
pub(super) const CHECK: &str = "\
Examples:
  rebone check walk.bvh hero-walk.bvh
  rebone check walk.bvh hero-walk.bvh -v              all metrics with their thresholds
  rebone check walk.bvh hero-walk.bvh --csv walk.csv  metrics frame by frame
  rebone check walk.bvh hero.glb --animation Walk --target-card hero.toml
  rebone check walk.bvh hero-walk.bvh --json          one line, with verdict and score

PASS: no visible defect. LOOK: check the frames that are named. FAIL: viewers will see the defect. The score goes \
from 0, the worst, to 1. Defects of the source are listed apart. docs/verdict.md describes each metric.

Exit code: 0 for every verdict, 1 where a file cannot be used, 2 wrong usage.";

/// Below `rebone report --help`.
pub(super) const REPORT: &str = "\
Examples:
  rebone batch clips --target hero.bvh -o out
  rebone report out/manifest.jsonl -o report.html
  rebone report out --list PASS,LOOK                  paths of results of these grades
  rebone report out --list LOOK,FAIL --csv look.csv   a table of them

Each result is compared with its clip as by check, with the cards of the batch. The page works offline, by mouse and \
keyboard: ? shows the keys. It is one file, or of many results a file and the folder report_data beside it. Results that \
are accepted in it stay so in that browser; Save marks gives a review.jsonl, which is read beside the manifest.";

#[cfg(feature = "studio")]
pub(super) const STUDIO: &str = "\
Examples:
  rebone studio                               opens the page; files are dropped on it
  rebone studio walk.bvh hero.glb             cards are saved beside the files
  rebone studio walk.bvh hero.glb --out clips results are exported into a folder
  rebone studio --library out                 the results of a batch, to accept or to flag
  rebone studio --save-page studio.html       the page as one file, for any browser

Cards and the map are saved in place; the card of a file for which none is named is beside it, hero.toml of hero.glb.

It listens on this computer alone. The address holds a token: who has it can read the files that the command line names, \
and write cards, maps, contacts and reviews.";
