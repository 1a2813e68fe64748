import { expect, test } from 'vitest'
import { registry } from '../../runtime/errors/index.ts'
import { remedyHere, saidOtherwise } from './remedies.ts'

/** What nobody who works in the console can do, or what the operator of the installation does. */
const elsewhere = ['config_invalid', 'vault_key_wrong', 'store_incomplete', 'server_unreachable', 'evidence_invalid', 'openapi_invalid']
const all = Object.entries(registry).filter(([code]) => !elsewhere.includes(code))

test.each(all)('the remedy of %s names no address of the API', (_code, { remedy }) => {
  expect(remedyHere(remedy)).not.toMatch(/platformapi|\b(?:GET|POST|PUT|PATCH|DELETE) /)
})

test.each(all)('the remedy of %s names a page or a button, and not only a command', (_code, { remedy }) => {
  const command = /tocsin [a-z ]+/.exec(remedyHere(remedy))?.[0].trim()
  // What the console cannot do is done with a command.
  expect([undefined, 'tocsin run test', 'tocsin run undo']).toContain(command)
})

test('what is said otherwise is a remedy of the API', () => {
  const known = new Set<string>(Object.values(registry).map(({ remedy }) => remedy))
  expect(saidOtherwise.filter((remedy) => !known.has(remedy))).toEqual([])
})
