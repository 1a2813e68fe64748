import type { DocumentPath, Misspelling, YamlDocument } from '../../yaml/index.ts'
import type { Fix } from '../findings/index.ts'

/** Puts the name that was meant in the place of the misspelt one, where that stands only once in the key or value, so that no other is touched. */
export function renaming(document: YamlDocument, path: DocumentPath, part: 'value' | 'key', misspelt: Misspelling | undefined): Fix | undefined {
  const span = misspelt && document.span(path, part)
  if (!span) return undefined
  const { name, meant } = misspelt
  const written = document.text.slice(span.start, span.end)
  const at = written.indexOf(name)
  if (at < 0 || written.includes(name, at + 1)) return undefined
  const start = span.start + at
  return { title: `write \`${meant}\``, edits: [{ start, end: start + name.length, text: meant }] }
}
