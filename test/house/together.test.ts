import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from './source-imports.ts'
import { together } from './together.ts'

/** Matches a hook that a module registers when it is imported. Vitest gives it to the first file alone that imports the module. */
const hook = /^(?:beforeAll|beforeEach|afterAll|afterEach)\(/m

const read = new Map<string, readonly string[]>()

/** Returns the modules of ours that a file imports itself. */
function importsOfOurs(file: string): readonly string[] {
  const known = read.get(file) ?? importsOf(file).flatMap(({ to, ours }) => (ours && /\.tsx?$/.test(to) ? [to] : []))
  read.set(file, known)
  return known
}

/** Returns the modules of ours that a file imports, directly or through others. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const to of importsOfOurs(file)) {
    if (seen.has(to)) continue
    seen.add(to)
    importedBy(to, seen)
  }
  return seen
}

test('tests that share a process import no module that registers hooks', () => {
  const files = globSync('{runtime,console,plugins,test}/**/*.test.ts').filter((file) => together.some((pattern) => matchesGlob(file, pattern)))
  expect(files.length).toBeGreaterThan(200)
  const registering = new Set(
    globSync('{runtime,plugins,test}/**/*.ts').filter((file) => !file.endsWith('.test.ts') && hook.test(readFileSync(file, 'utf8'))),
  )
  expect(registering.size).toBeGreaterThan(0)
  const broken = files.flatMap((file) => [...importedBy(file)].filter((to) => registering.has(to)).map((to) => `${file} imports ${to}`))
  expect(broken).toEqual([])
})
