//! A skeleton as a tree with roles.

use crate::engine::{CERTAIN_CONFIDENCE, percent};
use crate::terminal::{GOOD, QUIET, WARNING, styled};
use rebone_studio::JointSummary;

/// One line per joint.
pub(crate) fn tree(joints: &[JointSummary], details: bool) -> Vec<String> {
    let branches = branches(joints);
    let length =
        |branch: &String, joint: &JointSummary| (branch.clone() + &joint.name).chars().count();
    let widest = branches.iter().zip(joints).map(|(branch, joint)| length(branch, joint)).max();
    joints
        .iter()
        .zip(&branches)
        .map(|(joint, branch)| {
            let gap = " ".repeat(widest.unwrap_or(0) - length(branch, joint) + 2);
            let name = &joint.name;
            match &joint.role {
                None => {
                    format!("{}{}", styled(QUIET, branch), styled(QUIET, name)) + &limits(joint)
                }
                Some(role) => {
                    let style = if role.confidence < CERTAIN_CONFIDENCE { WARNING } else { GOOD };
                    let mut line = format!("{}{name}{gap}", styled(QUIET, branch));
                    if !role.accepted {
                        line += &styled(WARNING, "! ");
                    }
                    line += &format!("{} {}", styled(style, &role.name), percent(role.confidence));
                    if details {
                        line += &format!("  {}", styled(QUIET, &role.reason));
                    }
                    if let Some(other) = role.runner_up.as_ref().filter(|_| details) {
                        line += &styled(QUIET, format!("; or {other}"));
                    }
                    line + &limits(joint)
                }
            }
        })
        .collect()
}

/// Ranges that the card limits: `  swing_x 0 to 140°`.
fn limits(joint: &JointSummary) -> String {
    let range =
        |(name, [low, high]): &(String, [f64; 2])| format!("  {name} {low} to {high}\u{b0}");
    joint.limits.iter().map(range).collect()
}

/// Lines of the tree before the name of each joint.
fn branches(joints: &[JointSummary]) -> Vec<String> {
    let mut last_child = vec![0; joints.len()];
    for (index, joint) in joints.iter().enumerate() {
        joint.parent.into_iter().for_each(|parent| last_child[parent] = index);
    }
    let mut branches: Vec<String> = Vec::with_capacity(joints.len());
    // Lines before the children of each joint.
    let mut before: Vec<String> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let (above, own, below) = match joint.parent {
            None => ("", "", ""),
            Some(parent) if last_child[parent] == index => (&*before[parent], "└─ ", "   "),
            Some(parent) => (&*before[parent], "├─ ", "│  "),
        };
        branches.push(format!("{above}{own}"));
        let below = format!("{above}{below}");
        before.push(below);
    }
    branches
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_studio::RoleSummary;

    fn line(index: usize, parent: Option<usize>, role: Option<RoleSummary>) -> JointSummary {
        JointSummary { index, name: format!("j{index}"), parent, role, limits: Vec::new() }
    }

    #[test]
    fn a_role_that_is_not_accepted_is_marked_and_the_runner_up_is_named_in_detail() {
        let role = |name: &str, confidence, accepted, runner_up: Option<&str>| RoleSummary {
            name: name.to_owned(),
            confidence,
            accepted,
            reason: "by its position".to_owned(),
            runner_up: runner_up.map(str::to_owned),
        };
        let joints = [
            line(0, None, Some(role("hips", 0.9, true, None))),
            line(1, Some(0), Some(role("head", 0.4, false, Some("j7")))),
        ];
        let plain = |details| -> Vec<String> {
            let lines = tree(&joints, details);
            let lines = lines.iter().map(|line| crate::terminal::visible(line));
            lines.map(|line| anstream::adapter::strip_str(&line).to_string()).collect()
        };
        assert_eq!(plain(false), ["j0     hips 90 %", "└─ j1  ! head 40 %"]);
        let details =
            ["j0     hips 90 %  by its position", "└─ j1  ! head 40 %  by its position; or j7"];
        assert_eq!(plain(true), details);
    }

    #[test]
    fn the_tree_has_a_line_a_joint() {
        let parents = [None, Some(0), Some(1), Some(0), Some(3)];
        let joints: Vec<JointSummary> =
            parents.iter().enumerate().map(|(index, &parent)| line(index, parent, None)).collect();
        assert_eq!(branches(&joints), ["", "├─ ", "│  └─ ", "└─ ", "   └─ "]);
    }
}
