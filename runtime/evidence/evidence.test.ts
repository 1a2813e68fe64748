import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newDecision } from '../../test/conformance/storage/decisions/decisions.ts'
import { ended, newPrincipal, newTenant, noon } from '../../test/conformance/storage/fixtures.ts'
import { ManualClock } from '../../test/support/clocks/manual-clock.ts'
import { createEvidenceSigner, createVault } from '../connection/index.ts'
import { asId, type JournalRecord, type PrincipalId, type Run, systemScope } from '../domain/index.ts'
import { noTurns } from '../fairness/index.ts'
import { openMemoryStore } from '../storage/embedded/index.ts'
import type { Store } from '../storage/index.ts'
import type { EvidenceDocument } from './document.ts'
import { createEvidence } from './evidence.ts'
import { verifyEvidence } from './jws.ts'
import { sortedJson } from './sorted-json.ts'
import { type ReadInput, writesOf } from './writes.ts'

let store: Store
let run: Run
const clock = new ManualClock()
const ada = { id: asId<never>('0197a000-0000-7000-8000-00000000aaaa'), name: 'ada' }

beforeEach(async () => {
  store = openMemoryStore(clock)
  run = (await ended(store, newTenant())).claimed.run
})
afterEach(() => store.close())

const evidence = () => createEvidence(store, createEvidenceSigner(createVault(Buffer.alloc(32, 1))), noTurns, clock, '1.2.3')
const read = async (): Promise<EvidenceDocument> => verifyEvidence(await evidence().of(run, ada)).document as unknown as EvidenceDocument

test('it says whose key made the key of each person who answered', async () => {
  const id = (name: string): PrincipalId => asId<PrincipalId>(name)
  const make = (name: string, createdBy: string | null) => {
    const maker = createdBy === null ? null : id(createdBy)
    return store.principals.create(systemScope, { ...newPrincipal('all'), id: id(name), name, createdBy: maker })
  }
  for (const [name, maker] of [
    ['root', null],
    ['bob', 'root'],
    ['eve', 'bob'],
  ] as const)
    await make(name, maker)
  const answers = ['eve', 'root', 'nobody'].map(
    (by) => ({ principal: id(by), by, verdict: 'approve', reason: null, output: null, at: noon }) as const,
  )
  const tenant = { ...newTenant(), id: run.organization }
  await store.decisions.open(systemScope, newDecision(tenant, { run: run.id, state: 'approved', approvers: 3, answers }))
  expect((await read()).decisions[0]?.answers).toMatchObject([
    {
      by: 'eve',
      made_by: [
        { by: 'bob', principal_uuid: 'bob' },
        { by: 'root', principal_uuid: 'root' },
      ],
    },
    { by: 'root', made_by: [] },
    { by: 'nobody', made_by: [] },
  ])
})

const connection = { id: asId<never>('c1'), revision: 3, instance: 'prod' }
const sent = { skill: 'mfa.suspend_user', connection, target: 'ada', input: { value: { user: 'ada' } } } as const
const intent = (address: string, number: number, more: object = {}): JournalRecord => ({
  kind: 'intent',
  address,
  try: number,
  digest: 'd',
  connection: 'c1',
  revision: 3,
  sendBy: noon + 60,
  at: noon,
  ...more,
})
const inline: ReadInput = async (input) => ('value' in input ? input.value : undefined)

test('it says which run, for whom it was made, and what the run was pinned to', async () => {
  const found = await read()
  expect(found).toMatchObject({
    format: 1,
    made_at: clock.now(),
    made_for: { by: 'ada', principal_uuid: ada.id },
    tocsin: '1.2.3',
    run: { run_id: run.id, case_id: run.caseId, started_at: run.startedAt, organization_uuid: run.organization },
    alert: { alert_uuid: run.alert },
    code: { playbook: run.pins.playbook, plugins: run.pins.plugins, policy_revision: run.pins.policy.revision },
    writes: [],
    decisions: [],
  })
  const [alert] = await store.alerts.get(systemScope, [run.alert])
  expect(found.alert?.content_digest).toBe(
    createHash('sha256')
      .update(alert?.content ?? '')
      .digest('base64url'),
  )
})

test('the digest of the journal stays the same until the journal changes', async () => {
  const before = await read()
  await clock.advance(5_000)
  expect((await read()).journal).toEqual(before.journal)
  const position = before.journal.entries
  await store.journal.append(systemScope, run.id, { position, epoch: 1, format: 1, records: [intent('s', 1)] })
  const after = await read()
  expect(after.journal.entries).toBe(position + 1)
  expect(after.journal.digest).not.toBe(before.journal.digest)
})

test('an input that is stored beside the journal is included, and one that is too long is left out and said to be', async () => {
  const { entries } = (await read()).journal
  const records = [
    intent('short', 1, { write: { ...sent, input: { stored: 'a' } } }),
    intent('long', 1, { write: { ...sent, input: { stored: 'b' } } }),
  ]
  await store.journal.putOutput(systemScope, run.id, 'a', '{"user":"ada"}')
  await store.journal.putOutput(systemScope, run.id, 'b', JSON.stringify('x'.repeat(3_000_000)))
  await store.journal.append(systemScope, run.id, { position: entries, epoch: 1, format: 1, records })
  expect((await read()).writes).toMatchObject([
    { step: 'short', input: { user: 'ada' }, input_left_out: false },
    { step: 'long', input: null, input_left_out: true, digest: 'd' },
  ])
})

test('a write that failed at first, was in doubt and was settled has its whole history', async () => {
  const at = noon
  const [write] = await writesOf(
    [
      intent('act', 1, { write: sent }),
      { kind: 'tried', address: 'act', try: 1, effect: 'refused', code: 'rate_limited', at },
      { kind: 'retried', address: 'act', tries: 1, code: 'rate_limited', until: noon + 5, at },
      intent('act', 2),
      { kind: 'probed', address: 'act', try: 2, happened: false, at },
      { kind: 'asked', address: 'act', decision: asId('q'), at },
      { kind: 'heard', address: 'act', decision: asId('q'), at },
      { kind: 'done', address: 'act', digest: 'd', output: { value: null }, write: { ...sent, changed: 'perhaps' }, at },
    ],
    inline,
  )
  expect(write).toMatchObject({ step: 'act', skill: 'mfa.suspend_user', target: 'ada', connection, outcome: 'done', changed: 'perhaps' })
  expect(write?.history.map(({ kind }) => kind)).toEqual(['intent', 'tried', 'retried', 'intent', 'probed', 'asked', 'heard', 'done'])
})

test('a write without an outcome is unknown, and one that was refused is not done', async () => {
  const writes = await writesOf(
    [
      intent('lost', 1, { write: sent }),
      intent('refused', 1, { write: sent }),
      { kind: 'tried', address: 'refused', try: 1, effect: 'refused', code: 'forbidden', at: noon },
    ],
    inline,
  )
  expect(writes.map(({ step, outcome }) => [step, outcome])).toEqual([
    ['lost', 'unknown'],
    ['refused', 'not_done'],
  ])
})

test('the requests of a handler are writes of their own, with the skill of their step', async () => {
  const answered = (address: string): JournalRecord => ({ kind: 'answered', address, try: 1, digest: 'd', answer: { value: null }, at: noon })
  const writes = await writesOf([intent('bulk#1', 1, { write: sent }), answered('bulk#1'), intent('bulk#2', 1), answered('bulk#2')], inline)
  expect(writes.map(({ step, skill, outcome }) => [step, skill, outcome])).toEqual([
    ['bulk#1', 'mfa.suspend_user', 'done'],
    ['bulk#2', 'mfa.suspend_user', 'done'],
  ])
})

test('equal values have equal texts, whatever the order of their members', () => {
  expect(sortedJson({ b: [{ d: 1, c: '__proto__' }], a: null })).toBe(sortedJson({ a: null, b: [{ c: '__proto__', d: 1 }] }))
  expect(sortedJson(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
  expect(sortedJson({ a: 1 })).not.toBe(sortedJson({ a: '1' }))
})
