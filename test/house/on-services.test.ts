import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { onBoth, onServicesOnly } from './on-services.ts'

/** Matches a test that uses the services. A test that only reports that there are none does not count. */
const uses = /\bbackendsAtHand\(|process\.env\['(?:MONGODB_URL|REDIS_URL)'\]/
/** Matches a test that uses the services only if it is on the list. */
const asked = /\bbackendsAtHand\(/
const files = globSync('{runtime,plugins,test}/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const matches = (patterns: readonly string[], file: string): boolean => patterns.some((pattern) => matchesGlob(file, pattern))

test('every test that uses MongoDB or Redis is on a list of tests that run one after another', () => {
  const users = files.filter(({ text }) => uses.test(text)).map(({ file }) => file)
  expect(users.length).toBeGreaterThan(8)
  expect(users.filter((file) => !matches([...onBoth, ...onServicesOnly], file))).toEqual([])
})

test('a test that also runs without services gets its backends from `backendsAtHand`', () => {
  const both = files.filter(({ file }) => matches(onBoth, file))
  expect(both.length).toBeGreaterThan(8)
  for (const { file, text } of both)
    expect({ file, asks: asked.test(text), direct: text.includes("process.env['M") }).toEqual({ file, asks: true, direct: false })
})
