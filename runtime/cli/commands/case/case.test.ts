import { expect, test } from 'vitest'
import { tocsin } from '../../../../test/support/processes/in-process.ts'

test.each([[['ACME-1']], [['ACME-1', 'ada', '--nobody']]])('case assign %j says what is missing, with the usage of that command', async (words) => {
  const { code, err } = await tocsin(['case', 'assign', ...words], { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(code).toBe(1)
  expect(err).toMatch(/^error: give either a name or --nobody\nUsage: tocsin case assign/)
})
