import type { Form } from './tree.ts'

/** A text of a document, as it is and as it is written. */
export interface WrittenText {
  readonly value: string
  readonly form: Form
  /** Its offset in the file. */
  readonly start: number
}

/** The offset in the file of character `offset` of a text; the text's start where escapes or folding hide it. */
export function positionInside(text: string, { value, form, start }: WrittenText, offset: number): number {
  const quote = form === 'single' || form === 'double' ? 1 : 0
  if (text.startsWith(value, start + quote)) return start + quote + offset
  // Single quotes are doubled inside single quotes; nothing else is written differently there on one line.
  if (form === 'single' && !value.includes('\n')) {
    const before = value.slice(0, offset)
    return start + 1 + before.length + before.split("'").length - 1
  }
  return form === 'literal' ? inBlock(text, start, value, offset) : start
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
  const lineStart = offset - line.length
  const lineEnd = value.indexOf('\n', lineStart)
  const whole = value.slice(lineStart, lineEnd === -1 ? undefined : lineEnd)
  return from + Math.max(source.indexOf(whole), 0) + line.length
}
