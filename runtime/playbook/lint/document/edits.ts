import type { DocumentPath, YamlDocument } from '../../../yaml/index.ts'
import type { Fix } from '../../findings/index.ts'

/** Returns a fix that replaces a piece of a value. Undefined unless the piece occurs there exactly once. */
export function replaceIn(document: YamlDocument, path: DocumentPath, piece: string, replacement: string, title: string): Fix | undefined {
  const span = document.span(path)
  if (span === null || piece === '') return undefined
  const written = document.text.slice(span.start, span.end)
  const at = written.indexOf(piece)
  if (at < 0 || written.includes(piece, at + 1)) return undefined
  const start = span.start + at
  return { title, edits: [{ start, end: start + piece.length, text: replacement }] }
}

/** Returns a fix that replaces a whole value. */
export function replaceValue(document: YamlDocument, path: DocumentPath, replacement: string, title: string): Fix | undefined {
  const span = document.span(path)
  return span === null ? undefined : { title, edits: [{ start: span.start, end: span.end, text: replacement }] }
}

/** Returns the fix as an option of `Report.at`. */
export function withFix(fix: Fix | undefined): { readonly fix?: Fix } {
  return fix === undefined ? {} : { fix }
}
