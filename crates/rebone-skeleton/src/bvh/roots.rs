//! Files with several roots: the one that is read.

use super::channel::Channel;
use super::error::{ReadErrorKind, Warning};
use super::nodes::{Nodes, Result};
use super::rows::RowLayout;
use crate::scene::{choices, described};
use crate::{EndSite, Joint, JointId};
use std::ops::Range;

/// The joints of one root, and the places of their channels in a row.
pub(super) struct RootPart {
    pub(super) joints: Vec<Joint>,
    pub(super) end_sites: Vec<EndSite>,
    pub(super) channels: Vec<Channel>,
    /// `None` where the file has no other root.
    pub(super) layout: Option<RowLayout>,
}

/// Takes the root of a name, by default the one with the most joints; the rows have the channels of all.
pub(super) fn part(nodes: &mut Nodes, wanted: Option<&str>) -> Result<RootPart> {
    let starts: Vec<usize> = nodes.roots.iter().map(|root| root.0).collect();
    let ends = starts.iter().copied().skip(1).chain([nodes.joints.len()]);
    let ranges: Vec<Range<usize>> =
        starts.iter().zip(ends).map(|(&start, end)| start..end).collect();
    let names: Vec<String> =
        starts.iter().map(|&start| nodes.joints[start].name.to_string()).collect();
    let index = match wanted {
        Some(name) => named(&names, name)?,
        None => (0..ranges.len()).rev().max_by_key(|&index| ranges[index].len()).unwrap_or(0),
    };
    if let (None, Some((_, line))) = (wanted, nodes.roots.get(1)) {
        let options = choices(&names);
        let own =
            (0..names.len()).map(|k| (names[k].as_str(), ranges[k].len(), options[k].as_str()));
        let message = described(&own.collect::<Vec<_>>(), index);
        nodes.warnings.push(Warning { line: *line, message });
    }
    Ok(cut(nodes, &ranges[index], names.len() > 1))
}

/// Returns the index of the root of a name, or with a number, `#1`.
fn named(names: &[String], wanted: &str) -> Result<usize> {
    let found: Vec<usize> = (0..names.len()).filter(|&index| names[index] == wanted).collect();
    let number =
        || wanted.strip_prefix('#')?.parse::<usize>().ok().filter(|&index| index < names.len());
    match (&found[..], number()) {
        ([index], _) => Ok(*index),
        ([], Some(index)) => Ok(index),
        _ => Err(ReadErrorKind::NoRoot {
            wanted: format!("{wanted:?}"),
            choices: choices(names).join(", "),
        }),
    }
}

/// Cuts out the joints of a range, whose parents are in it.
fn cut(nodes: &mut Nodes, range: &Range<usize>, is_part: bool) -> RootPart {
    let (joints, end_sites) =
        (std::mem::take(&mut nodes.joints), std::mem::take(&mut nodes.end_sites));
    let channels = std::mem::take(&mut nodes.channels);
    if !is_part {
        return RootPart { joints, end_sites, channels, layout: None };
    }
    let place = |joint: JointId| JointId(joint.index() - range.start);
    let is_own = |joint: JointId| range.contains(&joint.index());
    let first = channels.iter().take_while(|own| own.joint.index() < range.start).count();
    let width = channels.len();
    let own = joints.into_iter().skip(range.start).take(range.len());
    let joints = own.map(|joint| Joint { parent: joint.parent.map(place), ..joint }).collect();
    let sites = end_sites.into_iter().filter(|site| is_own(site.parent));
    let end_sites = sites.map(|site| EndSite { parent: place(site.parent), ..site }).collect();
    let own = channels.into_iter().filter(|own| is_own(own.joint));
    let channels: Vec<Channel> =
        own.map(|own| Channel { joint: place(own.joint), ..own }).collect();
    let layout = RowLayout::of_part(first, channels.len(), width);
    RootPart { joints, end_sites, channels, layout: Some(layout) }
}
