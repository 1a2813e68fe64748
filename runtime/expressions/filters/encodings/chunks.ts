import type { Meter } from '../../work.ts'

/** The length of a piece, in characters. */
const chunkLength = 4_096

/**
 * Changes a text piece by piece, and charges each piece when its result is known.
 * @param each work units for a character
 * @param grown work units for each character that the text grows by
 * @param change must treat each character independently; surrogate pairs stay together
 */
export function inChunks(text: string, meter: Meter, each: number, grown: number, change: (chunk: string) => string): string {
  let changed = ''
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + chunkLength - 1)
    const end = at + chunkLength - (last >= 0xd800 && last <= 0xdbff ? 1 : 0)
    const chunk = text.slice(at, end)
    const made = change(chunk)
    meter.charge(chunk.length * each + Math.max(made.length - chunk.length, 0) * grown)
    changed += made
    at = end
  }
  return changed
}
