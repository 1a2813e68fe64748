import type { Turns } from '../fairness/index.ts'

/** How many characters are decoded at once. */
const part = 65_536

/**
 * Returns where to cut the inside of a JSON string so that no escape is cut: `part` characters after `from`,
 * or a few before that.
 * @param from a position that is not within an escape
 */
function cutAt(text: string, from: number, to: number): number {
  const most = from + part
  if (most >= to) return to
  let at = from
  for (;;) {
    const slash = text.indexOf('\\', at)
    if (slash < 0 || slash >= most) return most
    const length = text[slash + 1] === 'u' ? 6 : 2
    if (slash + length > most) return slash
    at = slash + length
  }
}

/**
 * Decodes a long JSON string in turns.
 * @throws SyntaxError
 */
export async function decodeString(text: string, from: number, to: number, turns: Turns, key: string): Promise<string> {
  const parts: string[] = []
  for (let at = from + 1; at < to - 1; ) {
    const cut = cutAt(text, at, to - 1)
    parts.push(JSON.parse(`"${text.slice(at, cut)}"`) as string)
    at = cut
    const turn = turns.next(key)
    if (turn) await turn
  }
  return parts.join('')
}
