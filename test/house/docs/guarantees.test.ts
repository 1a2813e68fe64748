import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registry } from '../../../runtime/errors/index.ts'
import { findingRegistry } from '../../../runtime/playbook/authoring/index.ts'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/reference/guarantees/tests.md', root), 'utf8')

/** The tests that the page names: the file, and the title of the test. */
function* named(): Generator<readonly [string, readonly string[]]> {
  for (const line of page.split('\n').filter((row) => row.startsWith('|'))) {
    // Each title comes after the name of its file.
    for (const part of line.split(/(?=`(?:test|runtime)\/)/).slice(1)) {
      const [, file = ''] = part.match(/^`([^`]+)`/) ?? []
      yield [file, [...part.matchAll(/\("([^"]+)"\)/g)].map(([, title = '']) => title)]
    }
  }
}

test('the page names the tests of its promises', () => {
  expect([...named()].flatMap(([, titles]) => titles).length).toBeGreaterThan(25)
})

test.for([...named()])('%s exists and has the tests %s', ([file, titles]) => {
  const there = new URL(file, root)
  expect(existsSync(there)).toBe(true)
  const text = readFileSync(there, 'utf8')
  for (const title of titles) expect(text).toContain(title)
})

test('every promise of the table has its test', () => {
  const rows =
    page
      .split('## Each promise')[1]
      ?.split('\n')
      .filter((row) => row.startsWith('| ') && !row.startsWith('| promise')) ?? []
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows.filter((one) => !one.startsWith('| | '))) expect(row).toMatch(/`(?:test|runtime)\/[^`]+\.ts`/)
})

test.each([1, 2, 3, 4, 5, 6, 7, 8, 13])('complaint %i has a row', (number) => {
  expect(page).toMatch(new RegExp(`^\\| ${number} \\|.*complaint ${number}\\)`, 'm'))
})

const limits = readFileSync(new URL('docs/reference/limits.md', root), 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!what \|)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '))

test.for(limits)('the limit of %s has an error that exists, and a test that names it', ([what = '', , beyond = '', file = '']) => {
  const there = new URL(file.replaceAll('`', ''), root)
  expect(existsSync(there), `${what}: ${file}`).toBe(true)
  const codes = [...beyond.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code)
  for (const code of codes) expect(Object.hasOwn(registry, code) || Object.hasOwn(findingRegistry, code), code).toBe(true)
  // A test checks that the example of each finding produces that finding, so the codes need no other test.
  if (codes.some((code) => Object.hasOwn(registry, code))) expect(codes.some((code) => readFileSync(there, 'utf8').includes(code))).toBe(true)
})

test('there are limits', () => {
  expect(limits.length).toBeGreaterThan(20)
})
