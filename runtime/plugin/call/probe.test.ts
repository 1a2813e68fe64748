import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { loadPluginFolder } from '../manifest/load.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import { answerOf, hostOf, withSample } from '../testing.ts'
import type { CallResult } from './call-result.ts'
import { callProbe, callRoleFrom, type ProbeName } from './probe.ts'

const changes = [
  ['manifest.yaml', 'request: { method: GET, path: /me }', "request: { method: POST, path: /me, body: { at: '{{ credentials.region }}', n: 1 } }"],
  ['manifest.yaml', 'expect: { status: 200 }', 'expect: { status: 200 }\n  accept: [nobody]'],
  [
    'manifest.yaml',
    'errors:                                          # first',
    `errors:
  - { when: { in: [page, { var: [body.error, ''] }] }, code: endpoint_not_found, cause: No endpoint., remedy: Address., effect: none }
  - { when: { '==': [{ var: body.error }, nobody] }, code: nobody, cause: C., remedy: R., effect: none }
  - { when: { '!=': [{ var: [body.fine, null] }, true] }, code: not_fine, cause: C., remedy: R., effect: none }
  # first`,
  ],
] as const

async function probe(name: ProbeName, answer: SkillAnswer): Promise<{ readonly result: CallResult | null; readonly sent: readonly SkillRequest[] }> {
  return withSample(changes, async (folder) => {
    const host = hostOf(answer)
    return { result: await callProbe(await loadPluginFolder(folder), name, host), sent: host.sent }
  })
}

test('a test sends its body, and is judged by the error rows', async () => {
  const { result, sent } = await probe('test', answerOf(200, { fine: true }))
  expect(sent).toMatchObject([{ method: 'POST', path: '/me', body: { at: 'eu', n: 1 } }])
  expect(result).toEqual({ ok: true, output: { fine: true } })
  expect((await probe('test', answerOf(200, {}))).result).toMatchObject({ ok: false, failure: { code: 'not_fine' } })
})

test('an error code that the test accepts also proves the credentials; its body is the output', async () => {
  expect((await probe('test', answerOf(400, { error: 'nobody' }))).result).toEqual({ ok: true, output: { error: 'nobody' } })
  expect((await probe('test', answerOf(401, { fine: true }))).result).toMatchObject({ ok: false, failure: { code: 'credentials_rejected' } })
})

test('a test asks for no record: if something is not found, it is the endpoint', async () => {
  const { result } = await probe('test', answerOf(404, { fine: true, message: 'Not Found' }))
  expect(result).toMatchObject({
    ok: false,
    effect: 'refused',
    failure: { code: 'endpoint_not_found', message: 'No endpoint. (404: Not Found)', remedy: 'Address.' },
  })
})

test.each<[number, Json, boolean]>([
  [200, { error: 'nobody' }, true],
  [200, 'OK', true],
  [200, '<html></html>', true],
  [404, { fine: true }, false],
  [503, 'OK', false],
])('of reachability the status alone counts: %i %j', async (status, body, ok) => {
  const { result, sent } = await probe('reachability', answerOf(status, body))
  expect(result?.ok).toBe(ok)
  expect(sent).toMatchObject([{ path: '/ping', auth: 'none' }])
})

test('a test and a reachability request may leave out the base path', async () => {
  for (const [name, from, to] of [
    ['test', 'request: { method: GET, path: /me }', 'request: { method: GET, path: /me, base: none }'],
    ['reachability', 'path: /ping, auth: none', 'path: /ping, base: none'],
  ] as const) {
    await withSample([['manifest.yaml', from, to]], async (folder) => {
      const host = hostOf(answerOf(200, {}))
      await callProbe(await loadPluginFolder(folder), name, host)
      expect(host.sent).toMatchObject([{ base: 'none' }])
    })
  }
})

test.each<[SkillAnswer, string | null, string]>([
  [answerOf(200, { fine: true, role: 'operator' }), 'operator', ''],
  [answerOf(200, { fine: true, role: 'emperor' }), null, 'names the role "emperor". The integration knows'],
  [answerOf(200, { fine: true, role: ['operator'] }), null, 'no role at `role`'],
  [answerOf(200, { fine: true }), null, 'no role at `role`'],
  [answerOf(401, {}), null, 'could not be asked'],
])('the role is what the system says, if it is one of the manifest; else it is said why it is not known: %j', async (answer, role, why) => {
  await withSample(changes.slice(2), async (folder) => {
    const host = hostOf(answer)
    const found = await callRoleFrom(await loadPluginFolder(folder), host)
    expect(found).toEqual({ role, why: role === null ? expect.stringContaining(why) : null })
    expect(host.sent).toMatchObject([{ method: 'GET', path: '/me' }])
  })
})
