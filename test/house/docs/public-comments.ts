import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A function or class that other rooms use, without a comment that says what it does. */
export interface Uncommented {
  /** The path from the root. */
  readonly file: string
  readonly name: string
}

/** Names that a room offers to others, by the file that has them. `*`: all that the file exports. */
type Offered = ReadonlyMap<string, ReadonlySet<string>>

/** Returns what the `index.ts` of some rooms offer. @param root the folder from which the paths start */
function offeredBy(root: string, files: readonly string[]): Offered {
  const offered = new Map<string, Set<string>>()
  for (const index of files.filter((file) => basename(file) === 'index.ts')) {
    const { module } = parseSync(index, readFileSync(join(root, index), 'utf8'))
    for (const { moduleRequest, importName } of module.staticExports.flatMap(({ entries }) => entries)) {
      if (!moduleRequest?.value.startsWith('.')) continue
      const file = join(dirname(index), moduleRequest.value)
      const names = offered.get(file) ?? new Set()
      offered.set(file, names.add(importName.name ?? '*'))
    }
  }
  return offered
}

/**
 * Finds functions and classes that an `index.ts` offers to other rooms and that have no doc comment. Of an overloaded function, the first
 * declaration needs one.
 * @param root the folder from which the paths start
 */
export function uncommented(root: string, files: readonly string[]): readonly Uncommented[] {
  const found: Uncommented[] = []
  for (const [file, names] of offeredBy(root, files)) {
    if (!existsSync(join(root, file))) continue
    const text = readFileSync(join(root, file), 'utf8')
    const { program, comments } = parseSync(file, text)
    const seen = new Set<string>()
    for (const statement of program.body) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
      if (declared?.type !== 'FunctionDeclaration' && declared?.type !== 'ClassDeclaration' && declared?.type !== 'TSDeclareFunction') continue
      const name = declared.id?.name ?? ''
      if (seen.has(name) || !(names.has(name) || names.has('*'))) continue
      seen.add(name)
      const before = comments.findLast(({ end }) => end <= statement.start)
      const documented = before?.value.startsWith('*') === true && text.slice(before.end, statement.start).trim() === ''
      if (!documented) found.push({ file, name })
    }
  }
  return found
}
