import type { Turns } from '../fairness/index.ts'

/** How many bytes are decoded at once. */
const part = 262_144

/**
 * Decodes a text with turns of the event loop in between. A short text takes no turn.
 * @param key who shares the turns: an organization, or the caller
 * @param cut whether the text may end within a character, which is then left out
 * @throws TypeError for bytes that are invalid in the charset, if the decoder is `fatal`
 */
export async function decodeInTurns(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array,
  turns: Turns,
  key: string,
  cut = false,
): Promise<string> {
  if (bytes.length <= part) return decoder.decode(bytes, { stream: cut })
  const parts: string[] = []
  for (let from = 0; from < bytes.length; from += part) {
    parts.push(decoder.decode(bytes.subarray(from, from + part), { stream: true }))
    const turn = turns.next(key)
    if (turn) await turn
  }
  if (!cut) parts.push(decoder.decode())
  return parts.join('')
}
