import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { acme, addTenants, globex } from '../../support/stores/tenants.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>

beforeEach(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(api.store)
})
afterEach(() => api.close())

const text = (note: string, type = 'theft'): string =>
  `format: 1\nplaybook: thief\nalert_type: ${type}\nsteps:\n  - id: say\n    case: { note: ${note} }\n`

const activate = (texts: string | readonly string[], more: object = {}) =>
  admin('POST', '/platformapi/playbooks', { playbooks: [texts].flat().map((each) => ({ text: each })), ...more })

describe('activation', () => {
  test('makes a text the playbook of its alert types, and shows its impact and who activated it', async () => {
    const { status, body } = await activate(text('one', '[Theft, Fraud]'))
    expect(status).toBe(200)
    expect(body.checked_only).toBe(false)
    expect(body.playbooks[0]).toMatchObject({
      name: 'thief',
      kind: 'playbook',
      file: 'playbooks.0',
      impact: { high: 0, write: 0, read: 0, targets: 0, skills: [], unbounded: [] },
      places: [
        { key: 'theft', outcome: 'activated', standing: { revision: 1, source: 'edited' } },
        { key: 'fraud', outcome: 'activated', standing: { revision: 1 } },
      ],
      unbound: [],
    })
    const shown = (await admin('GET', '/platformapi/playbooks/THEFT')).body
    expect(shown).toMatchObject({
      key: 'theft',
      alert_type: 'theft',
      organization_code: null,
      revision: 1,
      withdrawn: false,
      activated_at: api.clock.now(),
      activated_by_name: 'test',
      text: text('one', '[Theft, Fraud]'),
    })
    expect(shown.activated_by).toMatch(/^[0-9a-f-]{36}$/)
    expect((await admin('GET', '/platformapi/playbooks')).body.items).toHaveLength(2)
  })

  test('of another playbook for the same alert type names the one that it replaces', async () => {
    await activate(text('one', '[theft, fraud]'))
    const other = text('two', '[theft, spam]').replace('playbook: thief', 'playbook: burglar')
    for (const check of [true, false]) {
      const { body } = await activate(other, { check })
      expect(body.playbooks[0].places).toMatchObject([
        { key: 'theft', replaced: 'thief' },
        { key: 'spam', replaced: null },
      ])
    }
    expect((await activate(other)).body.playbooks[0].places[0]).toMatchObject({ outcome: 'unchanged', replaced: null })
    await admin('DELETE', '/platformapi/playbooks/theft')
    expect((await activate(text('one'))).body.playbooks[0].places[0]).toMatchObject({ outcome: 'activated', replaced: null })
  })

  test('of the text that is already active changes nothing', async () => {
    await activate(text('one'))
    const { body } = await activate(text('one'))
    expect(body.playbooks[0].places).toMatchObject([{ outcome: 'unchanged', standing: { revision: 1 } }])
  })

  test('of a text with a mistake is refused with its place, and the active text stays', async () => {
    await activate(text('one'))
    const wrong = text('two').replace('case', 'cse')
    const { status, body } = await activate([text('three', 'fraud'), wrong])
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'playbook_invalid', errors: [{ code: 'step_kind_unknown', line: 6, column: 5 }] })
    expect((await admin('GET', '/platformapi/playbooks/theft')).body.text).toBe(text('one'))
    expect(await admin('GET', '/platformapi/playbooks/fraud')).toMatchObject({ status: 404, body: { code: 'playbook_unknown' } })
  })

  test('of two texts for one alert type is refused', async () => {
    const { body } = await activate([text('one'), text('two')])
    expect(body).toMatchObject({ code: 'playbook_invalid', errors: [{ code: 'alert_type_taken', field: 'alert_type', line: 3, column: 13 }] })
    const listed = await activate([text('one'), text('two', '[fraud, THEFT]')])
    expect(listed.body.errors).toMatchObject([{ code: 'alert_type_taken', field: 'alert_type.1', line: 3, column: 21 }])
  })

  test('can be checked without changing anything', async () => {
    await activate(text('one'))
    const { body } = await activate([text('two'), text('new', 'fraud')], { check: true })
    expect(body).toMatchObject({
      checked_only: true,
      playbooks: [
        { places: [{ key: 'theft', outcome: 'activated', standing: { revision: 1 } }] },
        { places: [{ key: 'fraud', outcome: 'activated', standing: null }] },
      ],
    })
    expect((await admin('GET', '/platformapi/playbooks')).body.items).toMatchObject([{ key: 'theft', revision: 1 }])
  })

  test('is refused if a place has another revision than expected; the error names it, and no place changes', async () => {
    await activate(text('one'))
    const { status, body } = await activate(text('two', '[theft, fraud]'), { revisions: { theft: 4, fraud: 0 } })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'playbook_changed',
      errors: [{ field: 'revisions.theft', message: expect.stringContaining('revision 1 is active: thief, sha256:') }],
    })
    expect((await admin('GET', '/platformapi/playbooks')).body.items).toHaveLength(1)
    expect((await activate(text('two', '[theft, fraud]'), { revisions: { theft: 1, fraud: 0 } })).status).toBe(200)
    expect(await activate(text('three'), { revisions: { thefd: 1 } })).toMatchObject({ status: 400, body: { code: 'body_invalid' } })
  })

  test('by several people at once gives each revision to exactly one of them', async () => {
    await activate(text('start'))
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => activate(text(`n${n}`), { revisions: { theft: 1 } })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7)
    await Promise.all(Array.from({ length: 8 }, (_, n) => activate(text(`m${n}`))))
    const { items } = (await admin('GET', '/platformapi/playbooks/theft/history')).body
    expect(items.map((item: { revision: number }) => item.revision)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  })

  test('with keep_edits replaces what an earlier import activated, and keeps what somebody edited or withdrew', async () => {
    await activate([text('a', 'one'), text('b', 'two'), text('c', 'three')], { keep_edits: true })
    await activate(text('edited', 'two'))
    await admin('DELETE', '/platformapi/playbooks/three')
    const { body } = await activate([text('x', 'one'), text('y', 'two'), text('z', 'three')], { keep_edits: true })
    expect(body.playbooks.map(({ places }: { places: { outcome: string }[] }) => places[0]?.outcome)).toEqual(['activated', 'kept_edit', 'kept_edit'])
    const items = (await admin('GET', '/platformapi/playbooks')).body.items
    expect(items.map(({ key, source }: { key: string; source: string }) => [key, source])).toEqual([
      ['one', 'folder'],
      ['two', 'edited'],
    ])
  })

  test('is refused if it would exceed the limit of 1,000 alert types', async () => {
    const types = (count: number): string => `[${Array.from({ length: count }, (_, n) => `t${n}`).join(', ')}]`
    expect((await activate(text('one', types(1_000)), { check: true })).status).toBe(200)
    expect(await activate(text('one', types(1_001)))).toMatchObject({ status: 409, body: { code: 'playbooks_exceeded' } })
  })

  test('limits the size of each text, not of all texts together', async () => {
    const many = Array.from({ length: 20 }, (_, n) => `${text('one', `type ${n}`)}# ${'x'.repeat(5_000)}\n`)
    expect((await activate(many)).status).toBe(200)
    expect((await activate(`${text('one')}# ${'x'.repeat(530_000)}\n`)).status).toBeGreaterThanOrEqual(400)
    expect((await activate([])).status).toBe(400)
  })
})

describe('history', () => {
  test('lists every revision, newest first and in pages; each text is kept and can be compared', async () => {
    for (const note of ['one', 'two', 'three']) await activate(text(note))
    const first = (await admin('GET', '/platformapi/playbooks/theft/history?limit=2')).body
    const second = (await admin('GET', `/platformapi/playbooks/theft/history?limit=2&cursor=${first.next_cursor}`)).body
    const all = [...first.items, ...second.items]
    expect(all.map(({ revision }) => revision)).toEqual([3, 2, 1])
    expect(second.next_cursor).toBeNull()
    const [three, , one] = all.map(({ digest }) => digest)
    expect((await admin('GET', `/platformapi/playbook-versions/${one}`)).body).toMatchObject({
      text: text('one'),
      name: 'thief',
      organization_code: null,
    })
    const { diff } = (await admin('GET', `/platformapi/playbook-versions/${one}/diff?to=${three}`)).body
    expect(diff).toContain('-    case: { note: one }\n+    case: { note: three }\n')
    expect((await admin('GET', `/platformapi/playbook-versions/${one}/diff?to=${one}`)).body.diff).toBe('')
    const nothing = `sha256:${'0'.repeat(64)}`
    expect(await admin('GET', `/platformapi/playbook-versions/${nothing}`)).toMatchObject({ status: 404, body: { code: 'playbook_version_unknown' } })
  })

  test('is unknown for a place that never had a playbook', async () => {
    expect(await admin('GET', '/platformapi/playbooks/nothing/history')).toMatchObject({ status: 404, body: { code: 'playbook_unknown' } })
  })

  test('works for alert types with any characters', async () => {
    const type = 'Ünusual / type: 100%'
    await activate(text('one', `'${type}'`))
    expect((await admin('GET', `/platformapi/playbooks/${encodeURIComponent(type)}`)).body.key).toBe(type.toLowerCase())
  })
})

describe('rollback', () => {
  test('makes an earlier text active again, and is itself a revision', async () => {
    for (const note of ['one', 'two']) await activate(text(note))
    const { items } = (await admin('GET', '/platformapi/playbooks/theft/history')).body
    const digest = items[1].digest
    const tried = await admin('POST', '/platformapi/playbooks/theft/rollback', { digest, check: true })
    expect(tried.body).toMatchObject({ checked_only: true, playbooks: [{ places: [{ outcome: 'activated', standing: { revision: 2 } }] }] })
    expect(await admin('POST', '/platformapi/playbooks/theft/rollback', { digest, revision: 1 })).toMatchObject({
      status: 409,
      body: { code: 'playbook_changed' },
    })
    expect((await admin('POST', '/platformapi/playbooks/theft/rollback', { digest, revision: 2 })).status).toBe(200)
    expect((await admin('GET', '/platformapi/playbooks/theft')).body).toMatchObject({ revision: 3, digest, text: text('one') })
  })

  test('affects only its own place, and accepts only a text that was active there', async () => {
    await activate(text('one', '[theft, fraud]'))
    await activate(text('two', '[theft, fraud]'))
    await activate(text('other', 'spam'))
    const [, first] = (await admin('GET', '/platformapi/playbooks/theft/history')).body.items
    await admin('POST', '/platformapi/playbooks/theft/rollback', { digest: first.digest })
    expect((await admin('GET', '/platformapi/playbooks/fraud')).body.revision).toBe(2)
    const { digest } = (await admin('GET', '/platformapi/playbooks/spam')).body
    expect(await admin('POST', '/platformapi/playbooks/theft/rollback', { digest })).toMatchObject({
      status: 404,
      body: { code: 'playbook_version_unknown' },
    })
  })
})

describe('withdrawal', () => {
  test('leaves the place empty until a playbook is activated again', async () => {
    await activate(text('one'))
    expect(await admin('DELETE', '/platformapi/playbooks/theft?revision=2')).toMatchObject({ status: 409 })
    expect((await admin('DELETE', '/platformapi/playbooks/theft?revision=1')).status).toBe(204)
    expect((await admin('GET', '/platformapi/playbooks/theft')).status).toBe(404)
    expect((await admin('DELETE', '/platformapi/playbooks/theft')).status).toBe(404)
    expect((await admin('GET', '/platformapi/playbooks/theft/history')).body.items).toMatchObject([{ revision: 2, withdrawn: true }, { revision: 1 }])
    expect((await activate(text('one'))).body.playbooks[0].places).toMatchObject([{ outcome: 'activated', standing: { revision: 3 } }])
  })
})

describe('sub-playbooks', () => {
  const inner = (inputs = '', note = 'a'): string => `format: 1\nplaybook: theft\n${inputs}steps:\n  - id: say\n    case: { note: ${note} }\n`
  const outer = (given = ''): string => `format: 1\nplaybook: outer\nalert_type: theft\nsteps:\n  - { id: again, playbook: theft${given} }\n`
  const needy = 'inputs: { who: { type: string, required: true } }\n'

  test('have their own places, by name, and can be activated together with the playbooks that run them', async () => {
    expect(await activate(outer())).toMatchObject({ status: 400, body: { code: 'playbook_invalid' } })
    const { body } = await activate([outer(), inner()])
    expect(body.playbooks.map(({ kind, name }: { kind: string; name: string }) => [kind, name])).toEqual([
      ['sub_playbook', 'theft'],
      ['playbook', 'outer'],
    ])
    expect((await admin('GET', '/platformapi/playbooks/theft')).body).toMatchObject({ kind: 'playbook', name: 'outer' })
    expect((await admin('GET', '/platformapi/playbooks/theft?kind=sub_playbook')).body).toMatchObject({
      kind: 'sub_playbook',
      name: 'theft',
      alert_type: null,
      text: inner(),
    })
    expect((await admin('GET', '/platformapi/playbooks?kind=sub_playbook')).body.items).toHaveLength(1)
    expect((await admin('POST', '/platformapi/playbooks/lint', { text: outer() })).body.findings).toEqual([])
  })

  test('can change alone, unless that breaks the playbooks that run them; the error names those', async () => {
    await activate([outer(), inner()])
    expect((await activate(inner('', 'b'))).status).toBe(200)
    const refused = await activate(inner(needy))
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'playbook_breaks_others', errors: [{ field: 'theft', message: expect.stringContaining('outer') }] },
    })
    expect((await activate(inner(needy), { check: true })).status).toBe(409)
    expect((await admin('DELETE', '/platformapi/playbooks/theft?kind=sub_playbook')).body.code).toBe('playbook_breaks_others')
    expect((await activate([inner(needy), outer(', with: { who: ada }')])).status).toBe(200)
    const [, before] = (await admin('GET', '/platformapi/playbooks/theft/history?kind=sub_playbook')).body.items
    const back = { kind: 'sub_playbook', digest: before.digest }
    expect(await admin('POST', '/platformapi/playbooks/theft/rollback', back)).toMatchObject({
      status: 409,
      body: { code: 'playbook_breaks_others' },
    })
    await admin('DELETE', '/platformapi/playbooks/theft')
    expect((await admin('DELETE', '/platformapi/playbooks/theft?kind=sub_playbook')).status).toBe(204)
  })

  test('of an organization replace the shared ones, even in shared playbooks, and must fit those playbooks', async () => {
    await activate([outer(), inner()])
    expect((await activate(inner('', 'own'), { organization_code: 'ACME' })).status).toBe(200)
    expect(await activate(inner(needy), { organization_code: 'ACME' })).toMatchObject({ status: 409, body: { code: 'playbook_breaks_others' } })
    // A shared playbook is refused if an organization's own sub-playbook does not fit it.
    const both = [inner('inputs: { who: { type: string } }\n'), outer(', with: { who: ada }')]
    expect(await activate(both)).toMatchObject({ status: 409, body: { code: 'playbook_breaks_others' } })
    await admin('DELETE', '/platformapi/playbooks/theft?kind=sub_playbook&organization=ACME')
    expect((await activate(both)).status).toBe(200)
  })

  test('can be activated freely once no active playbook runs them', async () => {
    await activate([outer(), inner()])
    await admin('DELETE', '/platformapi/playbooks/theft')
    await admin('DELETE', '/platformapi/playbooks/theft?kind=sub_playbook')
    expect((await activate(inner(needy))).status).toBe(200)
  })
})

describe('tenants', () => {
  test('an organization can have its own playbook besides the shared one, and no other organization sees it', async () => {
    await activate(text('shared'))
    await activate(text('own'), { organization_code: 'ACME' })
    const ofAcme = clientOf(api.app, await api.addKey(['playbooks:read', 'playbooks:write'], [acme]))
    const ofGlobex = clientOf(api.app, await api.addKey(['playbooks:read', 'playbooks:write'], [globex]))
    const own = (await ofAcme('GET', '/platformapi/playbooks/theft?organization=ACME')).body
    expect(own).toMatchObject({ organization_code: 'ACME', text: text('own'), activated_by_name: 'test' })
    expect((await ofAcme('GET', '/platformapi/playbooks/theft')).body.text).toBe(text('shared'))
    expect((await ofAcme('GET', '/platformapi/playbooks?organization=ACME')).body.items).toHaveLength(1)
    expect((await ofGlobex('GET', '/platformapi/playbooks')).body.items).toHaveLength(1)
    expect(await ofGlobex('GET', '/platformapi/playbooks/theft?organization=ACME')).toMatchObject({
      status: 422,
      body: { code: 'organization_unknown' },
    })
    expect(await ofGlobex('GET', `/platformapi/playbook-versions/${own.digest}`)).toMatchObject({ status: 404 })
  })

  test("a key of one organization changes that organization's playbooks, but no shared ones", async () => {
    const ofAcme = clientOf(api.app, await api.addKey(['playbooks:read', 'playbooks:write'], [acme]))
    await activate(text('one'))
    await activate(text('two'))
    const [, { digest }] = (await admin('GET', '/platformapi/playbooks/theft/history')).body.items
    const refused = { status: 403, body: { code: 'organization_forbidden' } }
    const send = { playbooks: [{ text: text('mine') }] }
    expect(await ofAcme('POST', '/platformapi/playbooks', send)).toMatchObject(refused)
    expect(await ofAcme('POST', '/platformapi/playbooks/theft/rollback', { digest })).toMatchObject(refused)
    expect(await ofAcme('DELETE', '/platformapi/playbooks/theft')).toMatchObject(refused)
    expect(await ofAcme('POST', '/platformapi/playbooks', { ...send, organization_code: 'GLOBEX' })).toMatchObject({ status: 422 })
    expect((await ofAcme('POST', '/platformapi/playbooks', { ...send, organization_code: 'ACME' })).status).toBe(200)
  })

  test('reading needs playbooks:read, and changing needs playbooks:write', async () => {
    const reader = clientOf(api.app, await api.addKey(['playbooks:read']))
    const writer = clientOf(api.app, await api.addKey(['playbooks:write']))
    const refused = { status: 403, body: { code: 'permission_missing' } }
    expect(await reader('POST', '/platformapi/playbooks', { playbooks: [{ text: text('a') }] })).toMatchObject(refused)
    expect(await reader('DELETE', '/platformapi/playbooks/theft')).toMatchObject(refused)
    expect(await writer('GET', '/platformapi/playbooks/theft')).toMatchObject(refused)
  })
})
