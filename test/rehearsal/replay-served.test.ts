import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { request } from '../../runtime/cli/client.ts'
import type { Replayed } from '../../runtime/rehearsal/index.ts'
import { tocsin as anywhere, type Ended } from '../support/processes/in-process.ts'
import { playbookFolder } from './command.ts'
import { LookedAfter, playbook } from './looked-after.ts'

const alan = 'alan.turing@acme.example'
let tocsin: LookedAfter
/** A folder for files that are activated on the server but are not beside the edited file. */
const elsewhere = playbookFolder({})
let folder = playbookFolder({})

beforeAll(async () => {
  tocsin = await LookedAfter.start()
  await tocsin.one.investigate({ user: { email: alan } })
})
afterEach(() => {
  folder.remove()
  folder = playbookFolder({})
})
afterAll(async () => {
  await tocsin?.stop()
  elsewhere.remove()
  folder.remove()
})

const suspending = (name: string): string => `format: 1
playbook: ${name}
inputs: { user: { type: string, required: true } }
connections: { idp: { integration: mfa } }
steps:
  - id: suspend
    skill: mfa.suspend_mfa_user
    with: { username: '{{ inputs.user }}' }
`

const noting = (name: string): string => `format: 1
playbook: ${name}
inputs: { user: { type: string, required: true } }
steps:
  - id: note
    case: { note: 'Left alone: {{ inputs.user }}' }
`

const handing = (name: string, to: string): string => `format: 1
playbook: ${name}
inputs: { user: { type: string, required: true } }
steps:
  - id: hand
    playbook: ${to}
    with: { user: '{{ inputs.user }}' }
`

/** Returns the playbook of the run. A sub-playbook suspends the user. */
const edited = (name: string): string =>
  playbook.replace(
    "skill: mfa.suspend_mfa_user\n        with: { username: '{{ inputs.user }}' }",
    `playbook: ${name}\n        with: { user: '{{ inputs.user }}' }`,
  )

async function activate(name: string, text: string, ...options: string[]): Promise<void> {
  elsewhere.write(`${name}.yaml`, text)
  const { code, err } = await tocsin.tocsin('playbook', 'activate', join(elsewhere.folder, `${name}.yaml`), ...options)
  expect([code, err]).toEqual([0, ''])
}

function replay(text: string, ...options: string[]): Promise<Ended> {
  folder.write('edited.yaml', text)
  return tocsin.tocsin('playbook', 'replay', join(folder.folder, 'edited.yaml'), '--playbooks', folder.folder, ...options)
}

type Shown = Replayed & { readonly from_server: readonly object[] }

async function replayed(text: string): Promise<readonly Shown[]> {
  const { code, out, err } = await replay(text, '--format', 'json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Shown[]
}

const digest = expect.stringMatching(/^sha256:/)
const suspend = { skill: 'mfa.suspend_mfa_user', input: { username: alan } }

test('uses the sub-playbook that is active on the server if no file has it', async () => {
  await activate('contain', suspending('contain'))
  const [run] = await replayed(edited('contain'))
  expect(run).toMatchObject({ outcome_after: 'completed', added: [], removed: [], missing: [] })
  expect(run?.changed).toMatchObject([{ ...suspend, step: 'active/suspend/suspend', before: { ...suspend, step: 'active/suspend' } }])
  expect(run?.from_server).toEqual([{ playbook: 'contain', organization_code: null, revision: 1, digest }])
})

test('prefers a file, also if a sub-playbook of the server runs it', async () => {
  await activate('local', suspending('local'))
  await activate('outer', handing('outer', 'local'))
  folder.write('local.yaml', noting('local'))
  expect(await replayed(edited('local'))).toMatchObject([{ removed: [suspend], from_server: [] }])
  expect(await replayed(edited('outer'))).toMatchObject([{ removed: [suspend], from_server: [{ playbook: 'outer' }] }])
})

test('sub-playbooks of the server run others of the server, and files may run them', async () => {
  await activate('deepest', noting('deepest'))
  await activate('deeper', handing('deeper', 'deepest'))
  folder.write('in-file.yaml', handing('in-file', 'deeper'))
  const [run] = await replayed(edited('in-file'))
  expect(run?.from_server).toMatchObject([{ playbook: 'deeper' }, { playbook: 'deepest' }])
  expect(run?.removed).toMatchObject([suspend])
})

test("prefers an organization's own sub-playbook to the shared one, and names both", async () => {
  await activate('own', suspending('own'))
  await activate('own', handing('own', 'contain'), '--organization', 'ACME')
  await activate('own', noting('own'), '--organization', 'ACME')
  await activate('contain', suspending('contain'))
  const { code, out } = await replay(
    edited('own').replace(
      '      - id: note\n',
      "      - id: more\n        playbook: contain\n        with: { user: '{{ inputs.user }}' }\n      - id: note\n",
    ),
  )
  expect(code).toBe(0)
  expect(out).toContain("Sub-playbooks without a file, taken from the server: contain (shared, revision 1), own (ACME's own, revision 2)")
})

test('names a run of an organization that lacks the sub-playbook, and replays the others', async () => {
  const { admin } = tocsin.one
  await request(admin, 'POST', '/platformapi/organizations', { code: 'BETA', name: 'Beta' })
  await activate('of-beta', noting('of-beta'), '--organization', 'BETA')
  const alone = await replay(edited('of-beta'))
  expect(alone.code).toBe(2)
  expect(alone.err).toContain('there is no playbook `of-beta`')
  expect(alone.err).toContain(`no file and no active sub-playbook on ${admin.url} (of ACME or shared) has this name`)

  await activate('of-acme', noting('of-acme'), '--organization', 'ACME')
  const alert = { alert_content: '{"user":{"email":"x@beta.example"}}', alert_provider: 'P', organization_code: 'BETA', alert_type: 'looked_after' }
  const posted = await request(admin, 'POST', '/platformapi/alerts', alert, { prefer: 'wait=200' })
  const { code, out } = await replay(edited('of-acme'), '--format', 'json')
  const [ofBeta, ofAcme] = JSON.parse(out) as Shown[]
  expect(code).toBe(1)
  expect(ofBeta).toMatchObject({ run: expect.stringContaining(String(posted['alert_uuid'])), outcome_after: null, from_server: [] })
  expect(ofBeta?.note).toContain('there is no playbook `of-acme`')
  expect(ofAcme).toMatchObject({ outcome_after: 'completed', removed: [suspend], from_server: [{ playbook: 'of-acme', organization_code: 'ACME' }] })
})

test('replays one run of several, and says that there is no such run', async () => {
  const all = await replayed(playbook)
  expect(all.length).toBeGreaterThan(1)
  const last = all.at(-1)
  const { code, out } = await replay(playbook, '--run', String(last?.run), '--format', 'json')
  expect([code, JSON.parse(out)]).toEqual([0, [last]])
  const none = await replay(playbook, '--run', 'nothing')
  expect(none.code).toBe(2)
  expect(none.err).toContain('run_unknown')
})

test('without a server, the error says what is missing and what to do', async () => {
  folder.write('edited.yaml', edited('contain'))
  const file = join(folder.folder, 'edited.yaml')
  // No server can listen on port 0.
  const { code, err } = await anywhere(['playbook', 'replay', file, '--url', 'http://127.0.0.1:0', '--key', 'k', '--playbooks', folder.folder])
  expect(code).toBe(2)
  expect(err).toContain(`${file} runs the sub-playbook contain, and it has no file`)
  expect(err).toContain('Start Tocsin, or give its address with --url')
})

test('reports a mistake before it connects to the server if files have all playbooks', async () => {
  folder.write('edited.yaml', playbook.replace('mfa.suspend_mfa_user', 'mfa.suspend'))
  const { code, err } = await anywhere(['playbook', 'replay', join(folder.folder, 'edited.yaml'), '--url', 'http://127.0.0.1:0', '--key', 'k'])
  expect([code, err.includes('mfa has no skill `suspend`')]).toEqual([2, true])
})
