import type { Meter } from '../work.ts'

/** Characters. */
const chunkLength = 4_096

/**
 * Changes a text piece by piece, so that what a piece takes can be paid for when it is known.
 * @param change of each character by itself; pairs of surrogates stay together
 * @param each what a character takes at the least; what it grows by takes as much again, `grown` times
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
