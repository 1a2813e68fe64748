import type { Form } from './tree.ts'

/** A string of a document: its value, and how the file writes it. */
export interface WrittenText {
  readonly value: string
  readonly form: Form
  /** Its offset in the file. */
  readonly start: number
}

/** Returns the offset in the file of one character of a string. If escapes or folding hide it: the start of the string. */
export function positionInside(text: string, { value, form, start }: WrittenText, offset: number): number {
  const quote = form === 'single' || form === 'double' ? 1 : 0
  if (text.startsWith(value, start + quote)) return start + quote + offset
  // Inside single quotes, a single quote is written twice. Everything else on the line is written as it is.
  if (form === 'single' && !value.includes('\n')) {
    const before = value.slice(0, offset)
    return start + 1 + before.length + before.split("'").length - 1
  }
  return form === 'literal' ? inBlock(text, start, value, offset) : start
}

/** In a `|` block, each line of the value is one line of the file after its indentation. */
function inBlock(text: string, start: number, value: string, offset: number): number {
  const before = value.slice(0, offset).split('\n')
  const line = before.at(-1) ?? ''
  let from = text.indexOf('\n', start) + 1
  for (let skipped = 1; skipped < before.length; skipped += 1) from = text.indexOf('\n', from) + 1
  if (from === 0) return start
  const end = text.indexOf('\n', from)
  const source = text.slice(from, end === -1 ? undefined : end)
  const lineStart = offset - line.length
  const lineEnd = value.indexOf('\n', lineStart)
  const whole = value.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  return from + Math.max(source.indexOf(whole), 0) + line.length
}
