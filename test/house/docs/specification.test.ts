import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/reference/specification.md', root), 'utf8')
const sections = new Set([...page.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = '']) => number))

/** Files that may cite the specification: sources, tests, YAML and pages. */
const files = ['runtime', 'console', 'plugins', 'playbooks', 'test', 'bench', 'docs'].flatMap((room) =>
  readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })
    .map((file) => `${room}/${file}`)
    .filter((file) => /\.(?:tsx?|md|ya?ml)$/.test(file) && file !== 'test/house/docs/specification.test.ts'),
)

/** Yields the citations of one section (`specification 2.1`) or several (`specification 2.1, 2.2 and 5`). */
function* citations(): Generator<{ readonly file: string; readonly section: string }> {
  const list = /\bspecification\s(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/gi
  for (const file of files) {
    for (const [, sections = ''] of readFileSync(new URL(file, root), 'utf8').matchAll(list)) {
      for (const [section] of sections.matchAll(/\d+(?:\.\d+)?/g)) yield { file, section }
    }
  }
}

test('the specification has the sections that comments cite', () => {
  const cited = [...citations()]
  expect(cited.length).toBeGreaterThan(40)
  expect(cited.filter(({ section }) => !sections.has(section))).toEqual([])
})

test('sections are cited in the form `specification 2.1`, so that the test above finds them', () => {
  const otherwise = /\bsections? \d+(?:\.\d+)?,? (?:of|in) the specification\b|\bplatform-spec\b|\bthe spec\b/i
  expect(files.filter((file) => otherwise.test(readFileSync(new URL(file, root), 'utf8')))).toEqual([])
})
