//! The palette of an animation: median cut of the colours of some frames.

use crate::palette::{BAND, PAPER, Rgb, TEXT};

/// Leading bits of each channel by which colours are binned.
const BITS: u32 = 5;
/// Number of bins: all colours of so many bits a channel.
const BINS: usize = 1 << (3 * BITS);

/// Number of pixels in each bin of colours, and the sums of their channels.
pub(super) struct Histogram {
    bins: Vec<(u64, [u64; 3])>,
}

impl Histogram {
    fn new() -> Self {
        Self { bins: vec![(0, [0; 3]); BINS] }
    }

    /// Counts the pixels of runs of pictures.
    pub(super) fn of(runs: &[Vec<Vec<Rgb>>]) -> Self {
        let mut histogram = Self::new();
        runs.iter().flatten().flatten().for_each(|colour| histogram.add(*colour));
        histogram
    }

    /// Counts a pixel.
    fn add(&mut self, colour: Rgb) {
        let (count, sum) = &mut self.bins[bin(colour)];
        *count += 1;
        sum.iter_mut().zip(colour).for_each(|(sum, part)| *sum += u64::from(part));
    }
}

/// At most 256 colours; number 0 marks pixels that keep their last colour.
pub(super) struct Palette {
    colours: Vec<Rgb>,
    /// Number of the nearest colour for each bin.
    nearest: Vec<u8>,
}

impl Palette {
    /// Chooses `colours` colours, 8 to 256: those of paper, floor and text, and medians of the histogram.
    pub(super) fn new(histogram: &Histogram, colours: usize) -> Self {
        let mut all = vec![[0; 3], PAPER, BAND, TEXT];
        all.extend(median_cut(histogram, colours.clamp(8, 256) - all.len()));
        let nearest = (0..BINS).map(|bin| nearest(&all, middle(bin))).collect();
        Self { colours: all, nearest }
    }

    /// Returns the number of the nearest colour; never 0.
    pub(super) fn number(&self, colour: Rgb) -> u8 {
        self.nearest[bin(colour)]
    }

    /// Returns whether two colours, by their numbers, differ by no more than a tolerance in any channel, 0 to 255.
    pub(super) fn are_alike(&self, a: u8, b: u8, tolerance: u8) -> bool {
        let [a, b] = [a, b].map(|number| self.colours[usize::from(number)]);
        (0..3).all(|k| a[k].abs_diff(b[k]) <= tolerance)
    }

    /// Returns whether a number is that of paper or floor, where remains of earlier frames would be seen.
    pub(super) fn is_ground(&self, number: u8) -> bool {
        matches!(self.colours.get(usize::from(number)), Some(&PAPER | &BAND))
    }

    /// Returns all colours as bytes: red, green, blue of each.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.colours.concat()
    }
}

fn bin(colour: Rgb) -> usize {
    colour.iter().fold(0, |bin, part| (bin << BITS) | usize::from(part >> (8 - BITS)))
}

/// Returns the colour of a bin; black for the first, white for the last.
fn middle(bin: usize) -> Rgb {
    let part = |shift: u32| {
        let part = (bin >> shift) & ((1 << BITS) - 1);
        (part * 255 / ((1 << BITS) - 1)) as u8
    };
    [part(2 * BITS), part(BITS), part(0)]
}

fn nearest(colours: &[Rgb], wanted: Rgb) -> u8 {
    let distance = |colour: &Rgb| -> i32 {
        // Eyes see green best and blue least.
        let weights = [3, 4, 2];
        (0..3).map(|k| weights[k] * (i32::from(colour[k]) - i32::from(wanted[k])).pow(2)).sum()
    };
    let all = colours.iter().enumerate().skip(1);
    all.min_by_key(|(_, colour)| distance(colour)).map_or(1, |(index, _)| index as u8)
}

/// Divides boxes of bins at their medians until there are as many as wanted (median cut); returns the mean colour of each.
fn median_cut(histogram: &Histogram, wanted: usize) -> Vec<Rgb> {
    let used = (0..BINS).filter(|bin| histogram.bins[*bin].0 > 0);
    let mut boxes: Vec<Vec<usize>> = vec![used.collect()];
    boxes.retain(|bins| !bins.is_empty());
    while boxes.len() < wanted {
        let spread = |bins: &Vec<usize>| -> u64 {
            // The square root keeps a large background from taking all colours.
            let count: u64 = bins.iter().map(|bin| histogram.bins[*bin].0).sum();
            u64::from(widest(bins).1) * count.isqrt()
        };
        let Some(most) = (0..boxes.len()).max_by_key(|k| (spread(&boxes[*k]), boxes.len() - k))
        else {
            break;
        };
        if widest(&boxes[most]).1 == 0 {
            break;
        }
        let [low, high] = halves(histogram, std::mem::take(&mut boxes[most]));
        boxes[most] = low;
        boxes.push(high);
    }
    boxes.iter().map(|bins| mean(histogram, bins)).collect()
}

/// Returns the channel in which a box of bins is widest, and its width.
fn widest(bins: &[usize]) -> (usize, u8) {
    let width = |axis: usize| {
        let parts = || bins.iter().map(|bin| middle(*bin)[axis]);
        parts().max().unwrap_or(0) - parts().min().unwrap_or(0)
    };
    let axis = (0..3).max_by_key(|axis| (width(*axis), 3 - axis)).unwrap_or(0);
    (axis, width(axis))
}

/// Divides a box along its widest channel where half of the weight, square roots of numbers of pixels, is on either side.
fn halves(histogram: &Histogram, mut bins: Vec<usize>) -> [Vec<usize>; 2] {
    let axis = widest(&bins).0;
    bins.sort_by_key(|bin| (middle(*bin)[axis], *bin));
    let weight = |bin: &usize| histogram.bins[*bin].0.isqrt();
    let all: u64 = bins.iter().map(weight).sum();
    let mut sum = 0;
    let half = bins.iter().position(|bin| {
        sum += weight(bin);
        2 * sum >= all
    });
    let at = half.map_or(1, |half| half + 1).clamp(1, bins.len() - 1);
    let high = bins.split_off(at);
    [bins, high]
}

fn mean(histogram: &Histogram, bins: &[usize]) -> Rgb {
    let add = |(count, sum): (u64, [u64; 3]), bin: &usize| {
        let (more, parts) = histogram.bins[*bin];
        (count + more, std::array::from_fn(|k| sum[k] + parts[k]))
    };
    let (count, sum) = bins.iter().fold((0, [0; 3]), add);
    sum.map(|part| ((part + count / 2) / count.max(1)) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are_and_many_are_near() {
        let mut few = Histogram::new();
        let colours = [[200, 100, 40], [10, 20, 30], PAPER];
        colours.into_iter().for_each(|colour| few.add(colour));
        let palette = Palette::new(&few, 32);
        for colour in colours {
            let number = usize::from(palette.number(colour));
            assert_eq!((palette.colours[number], number > 0), (colour, true));
        }
        let mut many = Histogram::new();
        let ramp: Vec<Rgb> = (0..=255u8).map(|k| [k, k / 2, 0]).collect();
        ramp.iter().for_each(|colour| many.add(*colour));
        let palette = Palette::new(&many, 40);
        assert!(palette.bytes().len() <= 3 * 40);
        for colour in ramp {
            let found = palette.colours[usize::from(palette.number(colour))];
            assert!((0..3).all(|k| found[k].abs_diff(colour[k]) < 14), "{colour:?} {found:?}");
        }
        let empty = Palette::new(&Histogram::new(), 0);
        assert!(empty.number([9; 3]) > 0 && empty.bytes().len() == 12);
    }
}
