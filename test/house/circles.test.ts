import { expect, test } from 'vitest'
import { circlesIn, type ImportGraph } from './circles.ts'
import { type Import, importsIn, importsOf, sources } from './source-imports.ts'

/*
 * Files must not import each other in a circle, however long. In a circle there is no file that can be read first, and the order in which Node loads
 * the files decides whether a value is there yet.
 *
 * Types count as well: `import type` and `export type` make the same circle for a reader, and one added value makes it a circle for Node.
 *
 * To break a circle, move what both files need into a third file that imports neither. If a function must call back, pass it as an argument:
 * `runStep` in `runtime/engine/run/steps/index.ts` does so.
 */

/** Returns the file of this project that an import names. It may lack the extension, or name a folder. Null: not a TypeScript file of ours. */
function fileOf(path: string, files: ReadonlySet<string>): string | null {
  const bare = path.replace(/\.jsx?$/, '')
  const candidates = [path, `${bare}.ts`, `${bare}.tsx`, `${path}/index.ts`, `${path}/index.tsx`]
  return candidates.find((candidate) => files.has(candidate)) ?? null
}

function graphOf(imports: readonly Import[], files: ReadonlySet<string>): ImportGraph {
  const graph = new Map<string, string[]>([...files].map((file) => [file, []]))
  for (const { from, to, ours } of imports) {
    const file = ours ? fileOf(to, files) : null
    if (file !== null) graph.get(from)?.push(file)
  }
  return graph
}

/** Builds the graph of imports. @param texts the files by path from the root */
function circlesAmong(texts: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  const imports = Object.entries(texts).flatMap(([file, text]) => importsIn(file, text))
  return circlesIn(graphOf(imports, new Set(Object.keys(texts))))
}

test('no file imports itself through others', () => {
  const files = ['runtime', 'plugins', 'console', 'test', 'bench'].flatMap(sources)
  const graph = graphOf(files.flatMap(importsOf), new Set(files))
  expect([...graph.values()].flat().length).toBeGreaterThan(5_000)
  expect(circlesIn(graph).map((circle) => [...circle, circle[0]].join(' -> '))).toEqual([])
})

test.each([
  ['a value', "import { b } from './b.ts'"],
  ['a type', "import type { B } from './b.ts'"],
  ['a type among values', "import { type B } from './b.ts'"],
  ['an import without names', "import './b.ts'"],
  ['an export from another file', "export { b } from './b.ts'"],
  ['an export of a type', "export type { B } from './b.ts'"],
  ['an export of everything', "export * from './b.ts'"],
  ['an export of all types', "export type * from './b.ts'"],
  ['a later import', "const b = await import('./b.ts')"],
  ['a name without extension', "import { b } from './b'"],
  ['a name with the extension of JavaScript', "import { b } from './b.js'"],
])('a circle is found through %s', (_name, text) => {
  expect(circlesAmong({ 'x/a.ts': text, 'x/b.ts': "import { a } from './a.ts'" })).toEqual([['x/a.ts', 'x/b.ts']])
})

test.each(['./room/index.ts', './room', './room/'])('a circle through an index is found by %s', (name) => {
  const circles = circlesAmong({
    'x/a.ts': `import { c } from '${name}'`,
    'x/room/index.ts': "export { c } from './c.tsx'",
    'x/room/c.tsx': "import { a } from '../a.ts'",
  })
  expect(circles).toEqual([['x/a.ts', 'x/room/index.ts', 'x/room/c.tsx']])
})

test('each circle is reported once, even if several meet, and a file that imports itself is one', () => {
  const circles = circlesAmong({
    'a.ts': "import './b.ts'",
    'b.ts': "import './a.ts'; import './c.ts'",
    'c.ts': "import './b.ts'; import './d.ts'",
    'd.ts': "import './d.ts'; import './e.ts'",
    'e.ts': '',
  })
  expect(circles).toEqual([['a.ts', 'b.ts'], ['b.ts', 'c.ts'], ['d.ts']])
})

test('two paths to the same file are not a circle', () => {
  expect(circlesAmong({ 'a.ts': "import './b.ts'; import './c.ts'", 'b.ts': "import './d.ts'", 'c.ts': "import './d.ts'", 'd.ts': '' })).toEqual([])
})
