import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { onBoth, onServicesOnly } from './on-services.ts'

/** How a test comes to the services; those that only say that there are none are no users. */
const uses = /\bbackendsAtHand\(|process\.env\['(?:MONGODB_URL|REDIS_URL)'\]/
/** How one comes to them only where it is to. */
const asked = /\bbackendsAtHand\(/
const files = globSync('{runtime,plugins,test}/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const matches = (patterns: readonly string[], file: string): boolean => patterns.some((pattern) => matchesGlob(file, pattern))

test('whatever uses MongoDB or Redis is among those that run one after the other', () => {
  const users = files.filter(({ text }) => uses.test(text)).map(({ file }) => file)
  expect(users.length).toBeGreaterThan(8)
  expect(users.filter((file) => !matches([...onBoth, ...onServicesOnly], file))).toEqual([])
})

test('what runs also among all others asks which backends it is to use', () => {
  const both = files.filter(({ file }) => matches(onBoth, file))
  expect(both.length).toBeGreaterThan(8)
  for (const { file, text } of both)
    expect({ file, asks: asked.test(text), direct: text.includes("process.env['M") }).toEqual({ file, asks: true, direct: false })
})
