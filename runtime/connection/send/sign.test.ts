import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { asId, type Connection, type ConnectionId } from '../../domain/index.ts'
import type { Egress } from '../../egress/index.ts'
import { noTurns } from '../../fairness/index.ts'
import { loadPluginFolder, type SkillRequest } from '../../plugin/index.ts'
import { Answers } from '../answer/call-answers.ts'
import { createVault } from '../vault/vault.ts'
import { sign } from './sign.ts'

const plugin = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
const vault = createVault(randomBytes(32))
const id = asId<ConnectionId>('c')
const connection = {
  id,
  instance: 'mailsec',
  fields: { base_url: 'https://tenant.example.com' },
  secrets: { api_token: vault.seal(id, 'api_token', 'canary-token') },
} as unknown as Connection
const request: SkillRequest = { method: 'POST', path: '/issues', query: [], headers: {}, body: { note: 'x' } }
const answers = new Answers(noTurns).forCall('acme')
const departure = { now: 0, timeout: 1_000, sendBy: null, signal: new AbortController().signal }
const pauseCheck = async () => null
/** Signing sends nothing, so an empty egress will do. */
const egress = {} as Egress
const outgoing = { answers, route: null, egress, vault, plugin, connection, request, pauseCheck }

test('a signed request has its URL, body, credential and time limits', () => {
  const signed = sign(outgoing, { ...departure, sendBy: 9_000, leaveBy: 5_000 }, 100)
  if ('effect' in signed) throw new Error(signed.message)
  expect(signed.outbound).toMatchObject({
    method: 'POST',
    url: new URL('https://tenant.example.com/api/v1/issues'),
    headers: { 'x-vendor-client-secret': 'canary-token', 'content-type': 'application/json' },
    body: '{"note":"x"}',
    origins: ['https://tenant.example.com'],
    timeout: 1_000,
    maxAnswer: 100,
    sendBy: 9_000,
    leaveBy: 5_000,
    pauseCheck,
  })
  expect(signed.scrub().text('canary-token')).not.toContain('canary-token')
})

test('a request that only reads has no pause check, and one without credentials opens no secret', () => {
  const signed = sign({ ...outgoing, request: { ...request, auth: 'none' } }, departure, 100)
  if ('effect' in signed) throw new Error(signed.message)
  expect(signed.outbound).not.toHaveProperty('pauseCheck')
  expect(JSON.stringify(signed.outbound)).not.toContain('canary-token')
})

test.each<[string, Partial<SkillRequest>, string]>([
  ['a header that is not the plugin’s to set', { headers: { Host: 'elsewhere' } }, 'skill_input_invalid'],
  ['half of a character in the query', { query: [['q', '\ud800']] }, 'skill_input_invalid'],
  ["a next page's address that is none", { next: 'https://[' }, 'answer_not_understood'],
])('%s keeps it from being sent', (_, over, code) => {
  expect(sign({ ...outgoing, request: { ...request, ...over } }, departure, 100)).toMatchObject({ effect: 'not_sent', code })
})
