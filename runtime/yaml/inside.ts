import type { Scalar } from 'yaml'

/** The offset in the file of character `offset` of a string's value; the string's start where escapes or folding hide it. */
export function positionInside(text: string, node: Scalar, offset: number): number {
  const start = node.range?.[0] ?? 0
  const { value } = node
  if (typeof value !== 'string') return start
  const quote = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE' ? 1 : 0
  if (text.startsWith(value, start + quote)) return start + quote + offset
  // Single quotes are doubled inside single quotes; nothing else is written differently there on one line.
  if (node.type === 'QUOTE_SINGLE' && !value.includes('\n')) {
    const before = value.slice(0, offset)
    return start + 1 + before.length + before.split("'").length - 1
  }
  return node.type === 'BLOCK_LITERAL' ? inBlock(text, start, value, offset) : start
}

/** In a `|` block each line of the value is one line of the file, behind the indentation. */
function inBlock(text: string, start: number, value: string, offset: number): number {
  const before = value.slice(0, offset).split('\n')
  const line = before.at(-1) ?? ''
  let from = text.indexOf('\n', start) + 1
  for (let skipped = 1; skipped < before.length; skipped += 1) from = text.indexOf('\n', from) + 1
  if (from === 0) return start
  const end = text.indexOf('\n', from)
  const source = text.slice(from, end === -1 ? undefined : end)
  const whole = value.split('\n')[before.length - 1] ?? ''
  return from + Math.max(source.indexOf(whole), 0) + line.length
}
