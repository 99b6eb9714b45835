"""Colours of bones, sRGB from 0 to 1. Generated: REBONE_BLESS=1 cargo test -p rebone-view palette"""

LEFT = (0x9E / 255, 0x3A / 255, 0x00 / 255)
TRUNK = (0xDF / 255, 0x6A / 255, 0x00 / 255)
RIGHT = (0xFF / 255, 0xA2 / 255, 0x3A / 255)
UNSURE = (0xD6 / 255, 0x00 / 255, 0x8A / 255)
