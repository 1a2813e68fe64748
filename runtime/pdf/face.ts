import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { create } from 'fontkit'

/** A font of a report. Both have the same characters. */
export interface Face {
  readonly file: string
  has(codePoint: number): boolean
  /** Returns the width of a character in a font size of 1. */
  width(codePoint: number): number
}

/** @param address a file URL */
export function openFace(address: string): Face {
  const file = fileURLToPath(address)
  const font = create(readFileSync(file))
  if (!('unitsPerEm' in font)) throw new Error(`${file} has several fonts`)
  const widths = new Map<number, number>()
  return {
    file,
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    width(codePoint) {
      const known = widths.get(codePoint)
      if (known !== undefined) return known
      const width = font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm
      widths.set(codePoint, width)
      return width
    },
  }
}
