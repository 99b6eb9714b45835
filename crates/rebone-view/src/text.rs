//! Text on a pixmap, in a monospaced bitmap font.

use crate::palette;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{Pixmap, PremultipliedColorU8};

/// A size, a weight and a colour.
#[derive(Clone, Copy)]
pub(crate) struct TextStyle {
    height: RasterHeight,
    weight: FontWeight,
    colour: palette::Rgb,
}

/// The headline.
pub(crate) const TITLE: TextStyle =
    TextStyle { height: RasterHeight::Size24, weight: FontWeight::Bold, colour: palette::TEXT };
/// Labels.
pub(crate) const STRONG: TextStyle =
    TextStyle { height: RasterHeight::Size20, weight: FontWeight::Bold, colour: palette::TEXT };
/// Side notes.
pub(crate) const SMALL: TextStyle =
    TextStyle { height: RasterHeight::Size16, weight: FontWeight::Regular, colour: palette::QUIET };

/// Returns the width of a text in pixels.
pub(crate) fn width(text: &str, style: TextStyle) -> f32 {
    (text.chars().count() * get_raster_width(style.weight, style.height)) as f32
}

/// Shortens a text in its middle where it is wider than `room` pixels.
pub(crate) fn shorten(text: &str, style: TextStyle, room: f32) -> String {
    let letters: Vec<char> = text.chars().collect();
    let fitting = (room.max(0.0) as usize) / get_raster_width(style.weight, style.height);
    if letters.len() <= fitting {
        return text.to_owned();
    }
    let kept = fitting.saturating_sub(2);
    let (head, tail) = (kept - kept / 2, letters.len() - kept / 2);
    letters[..head].iter().chain(&['.', '.']).chain(&letters[tail..]).collect()
}

/// Writes the text with its top left corner at `x`, `y`; returns its width in pixels.
///
/// Characters that the font lacks are shown as `?`.
pub(crate) fn draw(sheet: &mut Pixmap, text: &str, x: f32, y: f32, style: TextStyle) -> f32 {
    let advance = get_raster_width(style.weight, style.height);
    let (mut left, top) = (x.round() as i64, y.round() as i64);
    for letter in text.chars() {
        let raster = get_raster(letter, style.weight, style.height)
            .or_else(|| get_raster('?', style.weight, style.height))
            .expect("the font has a question mark");
        for (dy, line) in raster.rows().enumerate() {
            for (dx, &cover) in line.iter().enumerate() {
                blend(sheet, left + dx as i64, top + dy as i64, style.colour, cover);
            }
        }
        left += advance as i64;
    }
    width(text, style)
}

/// Blends the colour over one pixel, with `cover` of 255 as opacity.
fn blend(sheet: &mut Pixmap, x: i64, y: i64, colour: palette::Rgb, cover: u8) {
    let (width, height) = (i64::from(sheet.width()), i64::from(sheet.height()));
    if cover == 0 || x < 0 || y < 0 || x >= width || y >= height {
        return;
    }
    let pixel = &mut sheet.pixels_mut()[(y * width + x) as usize];
    let mix = |old: u8, new: u8| {
        let (old, new, cover) = (u32::from(old), u32::from(new), u32::from(cover));
        ((old * (255 - cover) + new * cover + 127) / 255) as u8
    };
    let [r, g, b] = colour;
    let mixed = [mix(pixel.red(), r), mix(pixel.green(), g), mix(pixel.blue(), b)];
    if let Some(mixed) = PremultipliedColorU8::from_rgba(mixed[0], mixed[1], mixed[2], 255) {
        *pixel = mixed;
    }
}
