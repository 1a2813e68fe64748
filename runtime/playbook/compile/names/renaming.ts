import type { Json } from '../../../domain/index.ts'
import type { DocumentPath, Misspelling, YamlDocument } from '../../../yaml/index.ts'
import type { Fix } from '../../findings/index.ts'

/** Returns a fix that replaces a misspelt name. Undefined if the name occurs more than once in the key or value. */
export function renaming(document: YamlDocument, path: DocumentPath, part: 'value' | 'key', misspelt: Misspelling | undefined): Fix | undefined {
  const span = misspelt && document.span(path, part)
  // If the meant key exists already, renaming would make a duplicate.
  if (!span || (part === 'key' && stands(document.value, [...path.slice(0, -1), misspelt.meant]))) return undefined
  const { name, meant } = misspelt
  const written = document.text.slice(span.start, span.end)
  const at = written.indexOf(name)
  if (at < 0 || written.includes(name, at + 1)) return undefined
  const start = span.start + at
  return { title: `write \`${meant}\``, edits: [{ start, end: start + name.length, text: meant }] }
}

function stands(value: Json, path: DocumentPath): boolean {
  const [key, ...rest] = path
  if (key === undefined) return true
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false
  return stands((value as Readonly<Record<string | number, Json>>)[key] ?? null, rest)
}
