import { randomBytes } from 'node:crypto'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { processOver } from '../../../test/support/records.ts'
import { systemIds } from '../../config/seams.ts'
import { asId, type Connection, type ConnectionId, type OrganizationId, type RunId } from '../../domain/index.ts'
import type { Egress, OutboundRequest } from '../../egress/index.ts'
import { noTurns } from '../../fairness/index.ts'
import { type CallResult, createIsolates, loadPluginFolder } from '../../plugin/index.ts'
import { LocalPermitSource } from '../../rate-limit/index.ts'
import { openMemoryStore } from '../../storage/embedded/index.ts'
import type { Store } from '../../storage/index.ts'
import { createLogger } from '../../telemetry/index.ts'
import { Answers } from '../answer/call-answers.ts'
import { CallLog } from '../log/call-log.ts'
import { RateLimiter } from '../rate/rate-limit.ts'
import { Detections } from '../send/detections.ts'
import { AccessTokens } from '../tokens/index.ts'
import { createVault } from '../vault/vault.ts'
import { callWithConnection } from './call-skill.ts'
import { createSkillCaller } from './skill-caller.ts'

const plugin = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/browser', import.meta.url)))
const vault = createVault(randomBytes(32))
const id = asId<ConnectionId>('c')
const connection = {
  id,
  instance: 'main',
  revision: 1,
  role: null,
  expiresAt: null,
  fields: { base_url: 'https://api.example.com', api_path: 'api/v1' },
  secrets: { api_key: vault.seal(id, 'api_key', 'canary-key') },
} as unknown as Connection

test("calls of all runs share the connection's rate limit, in turns", async () => {
  const clock = new ManualClock()
  const sent: OutboundRequest[] = []
  const egress: Egress = {
    objection: () => null,
    reach: async () => {},
    prepare: async () => {},
    call: async (request) => {
      sent.push(request)
      const body = new TextEncoder().encode('{"result":[],"paging":{"moreResults":false,"nextToken":null}}')
      return { effect: 'done', answer: { status: 200, headers: { 'content-type': 'application/json' }, body } }
    },
    open: () => Promise.reject(new Error('nothing is streamed here')),
    close: async () => {},
  }
  const store = {} as Store
  const caller = createSkillCaller(
    store,
    { pinned: async () => connection },
    {
      vault,
      egress,
      route: () => null,
      clock,
      limiter: new RateLimiter(clock, new LocalPermitSource(clock)),
      isolates: createIsolates({ calls: 1, processes: 1 }, clock),
      logger: createLogger({ level: 'silent' }),
      calls: new CallLog(createLogger({ level: 'silent' }), clock),
      tokens: new AccessTokens(store.tokens, vault, clock, systemIds),
      detections: new Detections(clock),
      answers: new Answers(noTurns),
    },
  )
  const skill = plugin.skills.get('list_browser_accounts')
  if (!skill) throw new Error('no skill')
  const call = (run: string, email: string): Promise<CallResult> =>
    caller.call({
      organization: asId<OrganizationId>('o'),
      playbooks: ['p'],
      connection: { id, instance: 'main', revision: 1 },
      plugin,
      skill,
      input: { email, max_items: 1 },
      key: email,
      run: asId<RunId>(run),
      timeout: 30_000,
      sendBy: null,
      signal: new AbortController().signal,
    })

  const many = Array.from({ length: 30 }, (_, number) => call('many', `many-${number}`))
  await turnOfLoop()
  expect(sent).toHaveLength(10)
  const other = call('other', 'other')
  await turnOfLoop()
  for (let step = 0; step < 20; step += 1) {
    clock.advance(100)
    await turnOfLoop()
  }
  expect(sent).toHaveLength(30)
  expect(sent.findIndex(({ url }) => url.searchParams.get('email') === 'other')).toBeLessThanOrEqual(11)
  expect(sent[29]?.timeout).toBe(28_000)
  expect((await other).ok).toBe(true)
  clock.advance(100)
  expect((await Promise.all(many)).every(({ ok }) => ok)).toBe(true)
})

test('the role that the last test found counts, unless a person entered one', async () => {
  const calls = async (change: object): Promise<CallResult> => {
    const egress = {
      objection: () => null,
      reach: async () => {},
      prepare: async () => {},
      call: () => Promise.reject(new Error('nothing is to be sent')),
      open: () => Promise.reject(new Error('nor this')),
      close: async () => {},
    }
    const standing = { ...connection, ...change } as unknown as Connection
    const mailsec = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
    const store = openMemoryStore(new ManualClock())
    const skill = mailsec.skills.get('update_mailsec_detections')
    if (!skill) throw new Error('no skill')
    const deps = processOver(store, egress, new ManualClock())
    return callWithConnection(deps, standing, { ...common, plugin: mailsec, skill, input: {} })
  }
  const { signal } = new AbortController()
  const common = {
    organization: null,
    key: 'k',
    lane: 'l',
    timeout: 1_000,
    sendBy: null,
    pauseCheck: async () => null,
    signal,
    acts: null,
    once: false,
  }
  expect(await calls({ lastTest: { role: 'issue_responder' } })).toMatchObject({ ok: false, effect: 'not_sent', failure: { code: 'role_too_low' } })
  expect(await calls({ role: 'any_admin_role', lastTest: { role: 'super_admin' } })).toMatchObject({ failure: { code: 'role_too_low' } })
})

test("the writes of a handler have the manifest's write time-out, its reads the read time-out", async () => {
  const mailsec = await loadPluginFolder(fileURLToPath(new URL('../../../plugins/mailsec', import.meta.url)))
  const slow = { ...mailsec, manifest: { ...mailsec.manifest, request: { ...mailsec.manifest.request, timeout: 90_000, writeTimeout: 7_000 } } }
  const skill = slow.skills.get('update_mailsec_issue')
  if (!skill) throw new Error('no skill')
  const clock = new ManualClock()
  const sent: OutboundRequest[] = []
  const egress: Egress = {
    objection: () => null,
    reach: async () => {},
    prepare: async () => {},
    call: async (request) => {
      sent.push(request)
      const body = new TextEncoder().encode('{"id":"i","remediationActions":[]}')
      return { effect: 'done', answer: { status: 200, headers: { 'content-type': 'application/json' }, body } }
    },
    open: () => Promise.reject(new Error('nothing is streamed here')),
    close: async () => {},
  }
  const token = vault.seal(id, 'api_token', 'canary-token')
  const issues = { ...connection, fields: { base_url: 'https://mail.example.com' }, secrets: { api_token: token } } as unknown as Connection
  const result = await callWithConnection({ ...processOver(openMemoryStore(clock), egress, clock), vault }, issues, {
    organization: null,
    plugin: slow,
    skill,
    input: { issue_id: 'i', remediation_actions: ['block'], remediation_mode: 'merge' },
    key: 'k',
    lane: 'k',
    timeout: 300_000,
    sendBy: clock.now() + 300_000,
    pauseCheck: async () => null,
    signal: new AbortController().signal,
    acts: null,
    once: false,
  })
  expect(result).toMatchObject({ ok: true })
  expect(sent.map(({ method, timeout, sendBy }) => [method, timeout, sendBy])).toEqual([
    ['GET', 90_000, null],
    ['PATCH', 7_000, clock.now() + 7_000],
  ])
})
