import type { DocumentPath, Misspelling, YamlDocument } from '../../../yaml/index.ts'
import { renaming } from '../../compile/index.ts'
import type { Fix } from '../../findings/index.ts'

/** Returns a fix for a misspelt name, at an offset of the string at a path. If the name is not there, it must occur only once in the value. */
export function respelling(document: YamlDocument, path: DocumentPath, offset: number, misspelt: Misspelling | undefined): Fix | undefined {
  if (misspelt === undefined) return undefined
  const { line, column } = document.locateInside(path, offset)
  const lines = document.text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1
  // In a quoted string, the text starts after the quote.
  for (const at of [start, start + 1]) {
    if (document.text.startsWith(misspelt.name, at)) {
      return { title: `write \`${misspelt.meant}\``, edits: [{ start: at, end: at + misspelt.name.length, text: misspelt.meant }] }
    }
  }
  return renaming(document, path, 'value', misspelt)
}
