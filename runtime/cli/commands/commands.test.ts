import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tocsin } from '../../../test/support/processes/in-process.ts'

test('a list of keys says for which organizations each is, and whose key made it', async () => {
  const key = { id: 'k', name: 'n', scopes: ['alerts:read'], created_at: 0, created_by: 'u-1', created_by_name: 'ada', revoked_at: null }
  const reaches = ['all', ['ACME', 'LUMEN'], ['A', 'B', 'C', 'D', 'E', 'F', 'G']]
  const items = [
    ...reaches.map((organizations) => ({ ...key, organizations })),
    { ...key, id: 'first', organizations: 'all', created_by: null, created_by_name: null },
  ]
  vi.stubGlobal('fetch', async () => Response.json({ items, next_cursor: null }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { out } = await tocsin(['key', 'list'], { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(out).toMatch(/ORGANIZATIONS +SCOPES/)
  expect(out).toMatch(/^k +n +\(all\) /m)
  expect(out).toMatch(/^k +n +ACME,LUMEN +alerts:read/m)
  expect(out).toMatch(/^k +n +A,B,C,D,E and 2 more /m)
  expect(out).toMatch(/CREATED +CREATED BY +USED +EXPIRES +REVOKED/)
  expect(out).toMatch(/^k +n +\(all\) .*:00 +ada$/m)
  expect(out).toMatch(/^first +n +\(all\) .*:00$/m)
})

test('the audit log shows an act on one line, whatever its details are; the options become filters', async () => {
  const asked: string[] = []
  const on = { connection: 'c-1', targets: ['ada\nroot'], reason: null, revision: 4 }
  const item = { id: 'a', at: 0, by: 'bob', by_uuid: 'b', action: 'runSkill', text: 'skill run by hand', on }
  vi.stubGlobal('fetch', async (url: URL | string) => {
    asked.push(String(url))
    return Response.json({ items: [item], next_cursor: null })
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const words = ['audit', 'list', '--about', 'a b', '--by', 'bob', '--action', 'runSkill', '--days', '1']
  const { out } = await tocsin(words, { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(out).toMatch(/^1970-01-01 00:00:00 +bob +skill run by hand +connection=c-1 {2}targets=\["ada\\nroot"\] {2}revision=4$/m)
  expect(asked[0]).toMatch(/\/platformapi\/audit\?limit=50&about=a\+b&by=bob&action=runSkill&created_from=\d+$/)
})

const post = ['alert', 'post', 'package.json', '--organization', 'ACME', '--provider', 'EDR']

function answering(answer: object) {
  vi.stubGlobal('fetch', async () => Response.json(answer))
  onTestFinished(() => void vi.unstubAllGlobals())
  return (...words: string[]) => tocsin([...post, ...words], { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
}

test('a posted alert shows the word for its status; JSON is as the API answers it', async () => {
  const posted = answering({ alert_id: 'ACME-EDR-1', alert_type: 'theft', investigation_status: 15 })
  expect(await posted('--type', 'theft')).toMatchObject({ code: 0, out: expect.stringMatching(/^investigation_status +15 Completed$/m), err: '' })
  expect(JSON.parse((await posted('--type', 'theft', '--json')).out)).toMatchObject({ investigation_status: 15 })
})

test('a posted alert without a type says that nothing investigates it', async () => {
  const posted = answering({ alert_id: 'ACME-EDR-1', alert_type: null, investigation_status: 0 })
  expect(await posted()).toMatchObject({
    out: expect.stringMatching(/^investigation_status +0 Created$/m),
    err: expect.stringContaining('will not be investigated: it has no type (--type)'),
  })
})

test('credentials that are no JSON: the error has the place, and nothing of the text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-connection-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'mfa.json')
  writeFileSync(file, '{\n  "token": "canary",\n}\n')
  const words = ['connection', 'create', 'mfa', '--integration', 'mfa', '--credentials', file]
  const { code, err } = await tocsin(words, { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(code).toBe(1)
  expect(err).toContain('mfa.json is not JSON (line 3, column 1).')
  expect(err).toContain('a comma too many')
  expect(err).not.toContain('canary')
})

test.each([
  ['run', 'list', '--since'],
  ['connection', 'update', '0197a000-0000-7000-8000-000000000001', '--expires'],
  ['fetch', 'again', 'f', '--since'],
])('a time without a zone is UTC wherever the machine is: %s %s', async (...words) => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: unknown, init?: { readonly body?: unknown }) => {
    asked.push(`${url} ${init?.body}`)
    return Response.json({ id: 'c', items: [], next_cursor: null })
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
  })
  await tocsin([...words, '2026-11-28T10:00:00'], { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(asked.join('\n')).toContain(String(Date.UTC(2026, 10, 28, 10)))
})
