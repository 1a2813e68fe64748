import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { onServices } from './on-services.ts'

/** How a test comes to the services; those that only say that there are none are no users. */
const uses = /\bbackendsAtHand\(|process\.env\['(?:MONGODB_URL|REDIS_URL)'\]/

test('whatever uses MongoDB or Redis is among those that run one after the other', () => {
  const files = globSync('{runtime,plugins,test}/**/*.test.ts').filter((file) => uses.test(readFileSync(file, 'utf8')))
  expect(files.length).toBeGreaterThan(8)
  expect(files.filter((file) => !onServices.some((pattern) => matchesGlob(file, pattern)))).toEqual([])
})
