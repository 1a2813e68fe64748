import type { Face } from './face.ts'

/**
 * Characters that can be drawn one after the other. Others join, stack or run from right to left, or cannot be seen: drawn like this, they
 * would show something else than the text says.
 */
const simple =
  /^(?![\p{C}\p{M}\p{Zl}\p{Zp}])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}]$/u
const spaces = new Map([
  ['\t', '    '],
  ['\u00a0', ' '],
  ['\u202f', ' '],
])

/** Returns a text with the Unicode number of each character that cannot be drawn as it is: `[U+202E]`. Line breaks stay. */
export function drawable(text: string, face: Pick<Face, 'has'>): string {
  let shown = ''
  for (const character of text.replaceAll('\r\n', '\n').normalize('NFC')) {
    const code = character.codePointAt(0) ?? 0
    if ((code >= 0x20 && code < 0x7f) || character === '\n') shown += character
    else if (spaces.has(character)) shown += spaces.get(character)
    else if (simple.test(character) && !/\p{Zs}/u.test(character) && face.has(code)) shown += character
    else shown += `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
  }
  return shown
}

/**
 * Breaks a text into lines, at spaces where possible. The time is linear in the length of the text, even if it has no spaces.
 * @param text drawable
 * @param width in units of the font size
 * @param most the most lines; the last one says how much is left out
 */
export function linesOf(text: string, face: Pick<Face, 'width'>, width: number, most: number): readonly string[] {
  const lines: string[] = []
  let begin = 0
  const end = (at: number, next: number): void => {
    lines.push(text.slice(begin, at))
    begin = next
  }
  let used = 0
  /** The last space of the line, and the width up to it. */
  let space = -1
  let upToSpace = 0
  for (let at = 0; at < text.length; ) {
    if (lines.length === most) return [...lines.slice(0, -1), `… (${text.length - begin + (lines.at(-1)?.length ?? 0)} more characters)`]
    const code = text.codePointAt(at) ?? 0
    const size = code > 0xffff ? 2 : 1
    if (code === 0x0a) {
      end(at, at + 1)
      at = begin
      used = 0
      space = -1
      continue
    }
    const wide = face.width(code)
    if (used + wide > width && at > begin && code !== 0x20) {
      const whole = space > begin
      end(whole ? space : at, whole ? space + 1 : at)
      used = whole ? used - upToSpace : 0
      space = -1
    }
    used += wide
    if (code === 0x20) {
      space = at
      upToSpace = used
    }
    at += size
  }
  lines.push(text.slice(begin))
  return lines
}
