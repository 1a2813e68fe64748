import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { type MfaSystem, startMfaSystem, suspendUser } from '../../support/mfa-system.ts'
import { tocsin } from '../../support/processes/in-process.ts'

/*
 * A run of the shipped playbook mfa-fatigue suspends a user, after a person has approved. These tests make evidence of it with the command
 * line, and check it as an auditor would.
 */

let mfa: MfaSystem
let run: string
let caseId: unknown
let file: string

beforeAll(async () => {
  mfa = await startMfaSystem('IDP')
  const done = await suspendUser(mfa, 'IDP')
  run = done.run
  caseId = done.alert['case_id']
  file = join(mfa.installation.directory, 'evidence.json')
})
afterAll(() => mfa?.stop())

/** @param url whom the command asks */
function command(given: readonly string[], url = mfa.admin.url): ReturnType<typeof tocsin> {
  return tocsin(['run', ...given], { TOCSIN_URL: url, TOCSIN_API_KEY: mfa.admin.key, NO_COLOR: '1' })
}

interface Jws {
  readonly protected: string
  readonly payload: string
  readonly signature: string
}

const fetched = async (): Promise<Jws> => (await request(mfa.admin, 'GET', `/platformapi/runs/${run}/evidence`)) as unknown as Jws
const payloadOf = ({ payload }: Jws): Record<string, unknown> => JSON.parse(Buffer.from(payload, 'base64url').toString())
const keys = async (): Promise<readonly (JsonWebKey & { readonly kid: string })[]> =>
  (await request(mfa.admin, 'GET', '/platformapi/evidence-keys'))['keys'] as (JsonWebKey & { readonly kid: string })[]

test('the evidence says what was written, what people approved, and with which code', async () => {
  const evidence = payloadOf(await fetched())
  const write = (evidence['writes'] as Answer[]).find(({ skill }) => skill === 'mfa.suspend_mfa_user')
  const [approval] = evidence['decisions'] as Answer[]
  const told = await request(mfa.admin, 'GET', `/platformapi/runs/${run}`)
  expect(evidence).toMatchObject({
    made_for: { by: 'admin' },
    run: { run_id: run, state: 'completed', organization_code: 'ACME', case_id: caseId, cancelled: null, requested: null },
    code: { playbook: { name: told['playbook'], digest: told['playbook_digest'] }, plugins: { mfa: expect.any(String) } },
  })
  expect(write).toMatchObject({ target: 'alan.turing@acme.example', connection: { id: mfa.connection['id'], instance: 'mfa' }, outcome: 'done' })
  // What people approved is what was sent.
  expect(approval).toMatchObject({ kind: 'approval', state: 'approved', answers: [{ by: 'admin', verdict: 'approve', reason: 'Seen' }] })
  const approved = (approval?.['actions'] as Answer[] | undefined)?.find(({ skill }) => skill === 'mfa.suspend_mfa_user')
  expect(approved?.['digest']).toBe(write?.['digest'])
  expect(createHash('sha256').update(JSON.stringify(write?.['input'])).digest('base64url')).toBe(write?.['digest'])
})

test('anybody can check the signature with the published key, without Tocsin', async () => {
  const jws = await fetched()
  const { kid } = JSON.parse(Buffer.from(jws.protected, 'base64url').toString()) as { readonly kid: string }
  const jwk = (await keys()).find((key) => key.kid === kid)
  const publicKey = createPublicKey({ key: jwk ?? {}, format: 'jwk' })
  const check = (payload: string): boolean =>
    verify(null, Buffer.from(`${jws.protected}.${payload}`), publicKey, Buffer.from(jws.signature, 'base64url'))
  expect(check(jws.payload)).toBe(true)
  expect(check(`${jws.payload}A`)).toBe(false)
})

test('the command makes a file, does not replace it, checks it and shows what it says', async () => {
  const made = await command(['evidence', run, '-o', file])
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining(`To check it: tocsin run verify ${file}`) })
  expect(await command(['evidence', run, '-o', file])).toMatchObject({ code: 1, err: expect.stringContaining('--force') })
  const checked = await command(['verify', file])
  expect(checked).toMatchObject({ code: 0, out: expect.stringMatching(/^valid: .*a key of this installation since \d{4}-/) })
  expect(checked.out).toMatch(/mfa\.suspend_mfa_user +alan\.turing@acme\.example +mfa +done/)
  expect(checked.out).toMatch(/approval +approved +approve by admin at .*: Seen/)
  const json = JSON.parse((await command(['verify', file, '--json'])).out) as Answer
  expect(json).toMatchObject({ key: (await keys())[0]?.kid, evidence: { run: { run_id: run } } })
})

test('an auditor who has the id of the key needs no server', async () => {
  const nowhere = 'http://127.0.0.1:9'
  const [key] = await keys()
  expect(await command(['verify', file, '--signer', key?.kid ?? ''], nowhere)).toMatchObject({ code: 0, out: expect.stringContaining('valid') })
  expect(await command(['verify', file, '--signer', 'somebody'], nowhere)).toMatchObject({
    code: 1,
    err: expect.stringContaining('the expected key is somebody. [evidence_invalid]'),
  })
})

test('a changed file is refused, and so is one that is no evidence', async () => {
  const jws = JSON.parse(readFileSync(file, 'utf8')) as Jws
  const forged = { ...payloadOf(jws), decisions: [] }
  writeFileSync(file, JSON.stringify({ ...jws, payload: Buffer.from(JSON.stringify(forged)).toString('base64url') }))
  expect(await command(['verify', file])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('evidence_invalid') })
  writeFileSync(file, 'not json')
  expect(await command(['verify', file])).toMatchObject({ code: 1, err: expect.stringContaining('is no JSON') })
})

test('a key of another organization gets no evidence', async () => {
  await request(mfa.admin, 'POST', '/platformapi/organizations', { code: 'OTHER', name: 'Other' })
  const { key } = await request(mfa.admin, 'POST', '/platformapi/keys', { name: 'theirs', scopes: ['runs:read'], organizations: ['OTHER'] })
  const theirs = { ...mfa.admin, key: String(key) }
  await expect(request(theirs, 'GET', `/platformapi/runs/${run}/evidence`)).rejects.toMatchObject({ problem: { code: 'run_unknown' } })
})

test('the undo of a run has evidence of its own, with who asked for it', async () => {
  await request(mfa.admin, 'POST', `/platformapi/runs/${run}/undo`, { reason: 'He was on holiday.' })
  const ended = async (): Promise<unknown> => (await request(mfa.admin, 'GET', `/platformapi/runs/${run}-u1`))['state']
  await expect.poll(ended).toBe('completed')
  expect(payloadOf((await request(mfa.admin, 'GET', `/platformapi/runs/${run}-u1/evidence`)) as unknown as Jws)).toMatchObject({
    run: { undoes: run, requested: { by: 'admin', reason: 'He was on holiday.' } },
    writes: [{ skill: 'mfa.activate_mfa_user', target: 'alan.turing@acme.example', outcome: 'done' }],
  })
})
