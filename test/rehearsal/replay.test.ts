import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchRecording, listRuns, type RunFilter } from '../../runtime/cli/run-recordings.ts'
import { loadPlaybook, openWorld, type Replayed, replayRun, type World } from '../../runtime/rehearsal/index.ts'
import { pluginsFolder } from '../plugins/fixtures.ts'
import { playbookFolder } from './command.ts'
import { end, LookedAfter, playbook } from './looked-after.ts'

const alan = 'alan.turing@acme.example'
const ada = 'ada.lovelace@acme.example'
let tocsin: LookedAfter
let world: World
const folder = playbookFolder({})

beforeAll(async () => {
  world = await openWorld({ plugins: [pluginsFolder], playbooks: [] })
  tocsin = await LookedAfter.start()
  // Alan is active, so the first run suspends him. In the second run he is not active. The provider
  // does not know nobody@acme.example.
  for (const email of [alan, alan, 'nobody@acme.example']) await tocsin.one.investigate({ user: { email } })
})
afterAll(async () => {
  await tocsin?.stop()
  folder.remove()
})

/** Replays the runs with an edited playbook, oldest first. */
async function replay(edit: string, filter: Partial<RunFilter> = { playbook: 'looked-after' }): Promise<readonly Replayed[]> {
  folder.write('edited.yaml', edit)
  const { plan } = await loadPlaybook(world, join(folder.folder, 'edited.yaml'))
  const { admin } = tocsin.one
  const runs = await listRuns(admin, { limit: 100, ...filter }, Date.now())
  return Promise.all(runs.toReversed().map(async ({ run_id }) => replayRun(world, await fetchRecording(admin, String(run_id)), plan)))
}

const nothing = { added: [], removed: [], changed: [], missing: [] }
const bypass = { step: 'active/bypass', skill: 'mfa.toggle_mfa_user_bypass', impact: 'high', connection: 'idp' }
const suspend = { step: 'active/suspend', skill: 'mfa.suspend_mfa_user', impact: 'write', connection: 'idp', input: { username: alan } }

test('finds no difference for the unchanged playbook', async () => {
  expect(await replay(playbook)).toMatchObject([
    { ...nothing, outcome_before: 'completed', outcome_after: 'completed' },
    { ...nothing, outcome_before: 'completed', outcome_after: 'completed' },
    { ...nothing, outcome_before: 'failed', outcome_after: 'failed' },
  ])
})

test('reports a write as removed in the runs that made it, if the edit drops it', async () => {
  const runs = await replay(playbook.replace(/ {6}- id: suspend\n.*\n.*\n/, ''))
  expect(runs).toMatchObject([{ ...nothing, removed: [suspend] }, nothing, nothing])
})

test('reports a write with the same skill and target but another input as changed', async () => {
  const [first, ...others] = await replay(playbook.replace("until: '{{ inputs.until }}' }", `until: ${end + 60_000} }`))
  const input = { username: alan, bypass: 'enabled', until: end + 60_000 }
  const before = { ...bypass, input: { ...input, until: end } }
  expect(first).toMatchObject({ added: [], removed: [], changed: [{ ...bypass, input, before }] })
  // A missing answer is not reported for a write that is reported as changed.
  expect(first?.missing).toEqual([])
  expect(others).toMatchObject([nothing, nothing])
})

test('reports a write that the edit adds, and where an answer is missing', async () => {
  const runs = await replay(playbook.replace('{ var: steps.look.output.status }, ACTIVE', '{ var: steps.look.output.status }, SUSPENDED'))
  expect(runs).toMatchObject([
    { outcome_after: 'completed', added: [], removed: [bypass, suspend], missing: [] },
    { outcome_after: 'completed', added: [bypass, suspend], removed: [], missing: [] },
    nothing,
  ])
})

test('reports another outcome; new reads are missing answers, not added calls', async () => {
  const caught = playbook.replace(
    "with: { username: '{{ inputs.user }}' }\n  - id: active",
    `with: { username: '{{ inputs.user }}' }
    on_error:
      - id: other
        skill: mfa.get_mfa_user_details
        with: { username: ${ada} }
      - id: end
        stop: { outcome: completed, reason: Unknown }
  - id: active`,
  )
  const [first, , unknown] = await replay(caught)
  expect(first).toMatchObject(nothing)
  expect(unknown).toMatchObject({
    outcome_before: 'failed',
    outcome_after: 'completed',
    added: [],
    missing: [{ step: 'look/on_error/other', skill: 'mfa.get_mfa_user_details', impact: 'read', input: { username: ada, same_device_users: false } }],
  })
})

test("gives a renamed slot the old slot's connection and answers", async () => {
  expect(await replay(playbook.replace('connections: { idp:', 'connections: { mfa:'))).toMatchObject([
    { added: [], removed: [], changed: [{ connection: 'mfa', before: { connection: 'idp' } }, { connection: 'mfa' }], missing: [] },
    nothing,
    { outcome_after: 'failed' },
  ])
})

test('chooses runs by playbook, type, time and number', async () => {
  expect(await replay(playbook, { playbook: 'renamed' })).toEqual([])
  expect(await replay(playbook, { alertType: 'LOOKED_AFTER', limit: 2 })).toHaveLength(2)
  expect(await replay(playbook, { since: '1h' })).toHaveLength(3)
  expect(await replay(playbook, { since: '2100-01-01' })).toEqual([])
})

test('prints a JSON list of runs, by default those of the playbook with the same name', async () => {
  folder.write('edited.yaml', playbook)
  const { code, out, err } = await tocsin.tocsin('playbook', 'replay', join(folder.folder, 'edited.yaml'), '--format', 'json')
  expect([code, err]).toEqual([0, ''])
  const found = JSON.parse(out) as Replayed[]
  expect(found.map((one) => Object.keys(one).slice(0, 3))).toEqual(Array(3).fill(['run', 'outcome_before', 'outcome_after']))
})

test('mentions runs that the limit leaves out, but not in the result', async () => {
  folder.write('edited.yaml', playbook)
  const { out, err } = await tocsin.tocsin('playbook', 'replay', join(folder.folder, 'edited.yaml'), '--limit', '2', '--format', 'json')
  expect([JSON.parse(out), err]).toEqual([[expect.anything(), expect.anything()], expect.stringContaining('Only the newest 2 runs')])
})

test('shows people the changes of each run', async () => {
  folder.write('edited.yaml', playbook.replace(/ {6}- id: suspend\n.*\n.*\n/, ''))
  const { code, out } = await tocsin.tocsin('playbook', 'replay', join(folder.folder, 'edited.yaml'))
  expect(out).toContain('- write mfa.suspend_mfa_user at active/suspend (idp) {"username":"alan.turing@acme.example"}')
  expect(out).toContain('2 unchanged, 1 with different writes or a different outcome')
  expect(code).toBe(0)
})

test('exits with 2 if a run cannot be replayed', async () => {
  folder.write('edited.yaml', playbook.replace('mfa.suspend_mfa_user', 'mfa.suspend'))
  const { code, err } = await tocsin.tocsin('playbook', 'replay', join(folder.folder, 'edited.yaml'))
  expect([code, err.includes('mfa has no skill `suspend`')]).toEqual([2, true])
})
