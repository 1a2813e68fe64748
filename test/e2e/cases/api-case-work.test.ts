import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asId, type DecisionId, type Run, systemScope } from '../../../runtime/domain/index.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { addTenants, openDecision, openWaitingRun } from '../../support/api/waiting-run.ts'

/* What people do with cases over the API: lists, closing, tags, tasks, comments with mentions, clocks, links and merges. */

let api: ApiServer
let admin: ReturnType<typeof clientOf>
let reader: ReturnType<typeof clientOf>

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  await addTenants(admin)
  reader = clientOf(api.app, await keyOf('Reader Rita', ['cases:read']))
})
afterAll(() => api.close())

async function keyOf(name: string, scopes: readonly string[], organizations: 'all' | readonly string[] = 'all'): Promise<string> {
  return (await admin('POST', '/platformapi/keys', { name, scopes, organizations })).body.key
}
const opened = async (): Promise<{ run: Run; url: string; id: string }> => {
  const run = await openWaitingRun(api, admin)
  return { run, id: run.caseId, url: `/platformapi/cases/${run.caseId}` }
}
const listed = async (query: string, as = admin): Promise<string[]> =>
  (await as('GET', `/platformapi/cases?${query}`)).body.items.map((item: { case_id: string }) => item.case_id)

test('an assignee is named as the list names it: me, and nobody', async () => {
  const { url, id } = await opened()
  expect((await admin('PATCH', url, { assignee: 'me' })).body).toMatchObject({ assignee: 'test' })
  expect(await listed('assignee=me')).toContain(id)
  expect((await admin('PATCH', url, { assignee: 'nobody' })).body).toMatchObject({ assignee: null })
  expect((await admin('GET', `${url}/timeline?kind=change`)).body.items[0]).toMatchObject({
    change: { assignee: null },
    before: { assignee: 'test' },
  })
})

describe('the list', () => {
  test('is filtered by assignee, me, nobody, disposition, tag and words, and sorted', async () => {
    const [a, b] = [await opened(), await opened()]
    await admin('PATCH', a.url, { assignee: 'test', disposition: 'malicious', severity: 'critical' })
    await admin('POST', `${a.url}/tags`, { add: [' Mail '] })
    expect(await listed('assignee=me')).toEqual([a.id])
    expect(await listed('assignee=nobody&organization=ACME')).toContain(b.id)
    expect(await listed('assignee=nobody')).not.toContain(a.id)
    expect(await listed('disposition=malicious')).toEqual([a.id])
    expect(await listed('tag=MAIL')).toEqual([a.id])
    expect(await listed(`q=found%20${a.id.toLowerCase()}`)).toContain(a.id)
    expect(await listed('q=nothing')).toEqual([])
    expect((await listed('sort=-severity'))[0]).toBe(a.id)
    expect((await listed('sort=-modified_at&limit=1'))[0]).toBe(a.id)
    const page = (await admin('GET', '/platformapi/cases?sort=-severity&limit=1')).body
    const cursor = encodeURIComponent(page.next_cursor)
    expect((await admin('GET', `/platformapi/cases?sort=-severity&limit=1&cursor=${cursor}`)).body.items[0].case_id).not.toBe(a.id)
    expect((await admin('GET', `/platformapi/cases?sort=severity&limit=1&cursor=${cursor}`)).body.code).toBe('cursor_invalid')
    expect((await admin('GET', `/platformapi/cases?q=${'a%20'.repeat(9)}`)).body.code).toBe('query_invalid')
    expect(await listed('created_to=1')).toEqual([])
  })
})

describe('closing a case with an open decision', () => {
  test('is refused and names the decision, until the request says what happens to it', async () => {
    const { run, url } = await opened()
    const decision = await openDecision(api, run)
    await api.store.cases.record(systemScope, run.case, null, {
      key: `${decision}#1`,
      at: api.clock.now(),
      actor: { run: run.id, step: 'ask' },
      body: { kind: 'decision', decision: asId<DecisionId>(decision), state: 'open', title: 'Suspend ada?', by: [], text: null },
    })
    const refused = await admin('PATCH', url, { status: 'closed' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'case_has_open_decisions', errors: [{ message: 'Suspend ada?' }] } })
    expect(refused.body.detail).toContain('Suspend ada?')
    expect((await admin('GET', url)).body.status).toBe('new')
    // A key that may not answer decisions cannot decline them by closing the case.
    const writer = clientOf(api.app, await keyOf('Writer', ['cases:read', 'cases:write']))
    expect((await writer('PATCH', url, { status: 'closed', open_decisions: 'decline' })).body.code).toBe('decision_not_yours')
    const left = await admin('PATCH', url, { status: 'closed', open_decisions: 'leave' })
    expect(left.body).toMatchObject({ status: 'closed', open_decisions: [{ id: decision }] })
    await admin('PATCH', url, { status: 'in_progress' })
    const declined = await admin('PATCH', url, { status: 'closed', open_decisions: 'decline' })
    expect(declined.body).toMatchObject({ status: 'closed', open_decisions: [] })
    expect((await api.store.decisions.get(systemScope, asId<DecisionId>(decision)))?.state).toBe('declined')
  })
})

describe('a case', () => {
  test('has tags and tasks, and each change is a line with a name', async () => {
    const { url } = await opened()
    expect((await admin('POST', `${url}/tags`, { add: ['VIP', 'vip', 'mail'] })).body.tags).toEqual(['mail', 'vip'])
    expect((await admin('POST', `${url}/tags`, { remove: ['vip', 'unknown'] })).body.tags).toEqual(['mail'])
    const { status, body } = await admin('POST', `${url}/tasks`, { text: 'Call Ada', assignee: 'Bob' })
    const [task] = body.tasks
    expect([status, task]).toMatchObject([201, { text: 'Call Ada', assignee: 'Bob', created_by: 'test', done_at: null }])
    const done = (await admin('PATCH', `${url}/tasks/${task.id}`, { done: true })).body
    expect(done).toMatchObject({ open_tasks: 0, tasks: [{ done_by: 'test', done_at: api.clock.now() }] })
    expect(done.timeline.at(-1)).toMatchObject({ kind: 'task', act: 'done', by: ['test'], text: 'Call Ada', actor: { name: 'test' } })
    expect((await admin('PATCH', `${url}/tasks/${task.id}`, { done: false, text: 'Call Eve' })).body.tasks).toMatchObject([
      { text: 'Call Eve', done_at: null },
    ])
    expect((await admin('DELETE', `${url}/tasks/${task.id}`)).body.tasks).toEqual([])
    expect((await admin('DELETE', `${url}/tasks/${task.id}`)).body.code).toBe('task_unknown')
    expect((await admin('POST', `${url}/tags`, { add: Array.from({ length: 50 }, (_, at) => `t${at}`) })).body.code).toBe('case_full')
    const changes = await admin('GET', `${url}/timeline?kind=tags&kind=task&limit=2`)
    expect(changes.body.items.map(({ act }: { act: string }) => act)).toEqual(['removed', 'reopened'])
    expect((await reader('POST', `${url}/tags`, { add: ['x'] })).body.code).toBe('permission_missing')
  })

  test('that is filled by many requests at once refuses those that it cannot keep', async () => {
    const [{ url }, { id }] = [await opened(), await opened()]
    const fill = async (part: string, count: number, body: (at: number) => object) => {
      const answers = await Promise.all(Array.from({ length: count }, (_, at) => admin('POST', `${url}/${part}`, body(at))))
      const refused = answers.filter(({ status }) => status === 409)
      expect(refused.every(({ body: { code } }) => code === 'case_full')).toBe(true)
      return answers.length - refused.length
    }
    expect(await fill('tags', 60, (at) => ({ add: [`t${at}`] }))).toBe(50)
    expect(await fill('tasks', 120, (at) => ({ text: `Call ${at}` }))).toBe(100)
    expect((await admin('GET', url)).body).toMatchObject({ tags: { length: 50 }, tasks: { length: 100 } })
    const { items } = (await admin('GET', `${url}/timeline?kind=task&kind=tags&limit=1000`)).body
    expect(items.filter((one: { refused?: boolean }) => !one.refused)).toHaveLength(150)
    // A link that is there already takes no room.
    for (const text of ['Same user', 'Same host']) expect((await admin('POST', `${url}/links`, { case: id, text })).status).toBe(200)
  })

  test('has a change log with the values before', async () => {
    const { url } = await opened()
    const { body } = await admin('PATCH', url, { severity: 'low', assignee: 'Bob' })
    expect(body.timeline.at(-1)).toMatchObject({ change: { severity: 'low', assignee: 'Bob' }, before: { severity: 'high', assignee: null } })
  })

  test('has clocks by severity; a person who acts stops the first, and closing the second', async () => {
    const { url } = await opened()
    const { body } = await admin('GET', url)
    expect(body.response).toEqual({ due_at: body.created_at + 3_600_000, done_at: null, state: 'running' })
    expect(body.close.state).toBe('running')
    api.clock.advance(3_600_001)
    expect((await admin('GET', url)).body.response.state).toBe('overdue')
    const policy = 'format: 1\nservice_levels: { high: { respond: 3h, close: null } }\n'
    await admin('PUT', '/platformapi/organizations/ACME/policy', { text: policy })
    api.clock.advance(1_001)
    expect((await admin('GET', url)).body).toMatchObject({ response: { state: 'running' }, close: { state: 'none', due_at: null } })
    await admin('POST', `${url}/comments`, { text: 'I look at it' })
    expect((await admin('GET', url)).body.response).toMatchObject({ state: 'met', done_at: api.clock.now() })
    expect((await admin('PATCH', url, { status: 'closed', severity: 'low' })).body.close).toMatchObject({ state: 'met', done_at: api.clock.now() })
  })
})

describe('a comment', () => {
  test('takes no comment and no task that is blank', async () => {
    const { url } = await opened()
    for (const part of ['comments', 'tasks']) {
      const { status, body } = await admin('POST', `${url}/${part}`, { text: ' \n\t ' })
      expect([status, body.errors]).toEqual([400, [{ field: 'text', message: 'must be valid Unicode text with a visible character' }]])
    }
  })

  test('mentions people who may see the case, and they find it', async () => {
    const { url, id } = await opened()
    await keyOf('Reader', ['cases:read'])
    await keyOf('Rita Elsewhere', ['cases:read'], ['OTHER'])
    await keyOf('No Cases', ['alerts:read'])
    await keyOf('İpek', ['cases:read'])
    api.clock.advance(5_001)
    const people = (await admin('GET', `${url}/people`)).body.items.map(({ name }: { name: string }) => name)
    expect(people).toEqual(expect.arrayContaining(['Reader Rita', 'Reader', 'test']))
    expect(people).not.toContain('No Cases')
    expect(people).not.toContain('Rita Elsewhere')
    expect((await admin('GET', `${url}/people?q=READER%20R`)).body.items).toMatchObject([{ name: 'Reader Rita' }])
    const named = async (ask: typeof admin, q: string) =>
      (await ask('GET', `/platformapi/people?q=${q}`)).body.items.map(({ name }: { name: string }) => name)
    expect(await named(admin, 'rita%20else')).toEqual(['Rita Elsewhere'])
    expect(await named(admin, 'RITA')).toEqual(['Reader Rita', 'Rita Elsewhere'])
    expect(await named(admin, 'No%20Cases')).toEqual([])
    const ofAcme = clientOf(api.app, await keyOf('Of Acme', ['cases:read'], ['ACME']))
    expect(await named(ofAcme, 'rita')).toEqual(['Reader Rita'])
    const text = 'Look, @reader rita! a@test @No Cases @Rita Elsewhere'
    const comment = (await admin('POST', `${url}/comments`, { text })).body
    expect(comment.mentions).toEqual([{ principal_uuid: expect.any(String), name: 'Reader Rita' }])
    // The lower case of İ is two characters.
    expect((await admin('POST', `${url}/comments`, { text: 'and @İPEK, too' })).body.mentions).toMatchObject([{ name: 'İpek' }])
    const mine = (await reader('GET', '/platformapi/mentions')).body
    expect(mine).toMatchObject({ items: [{ case_id: id, title: 'Found', entry: comment.id, by: 'test', text }], next_cursor: null })
    expect((await admin('GET', '/platformapi/mentions')).body.items).toEqual([])
  })
})

describe('a report', () => {
  test('is Markdown in which foreign text is escaped, PDF, or JSON', async () => {
    const { run, url, id } = await opened()
    const finding = { kind: 'finding', title: '[click](https://evil.example) <b>', risk: 'high', evidence: { a: '```' } } as const
    const entry = { key: 'f', at: api.clock.now(), actor: { run: run.id, step: 's' }, body: finding } as const
    await api.store.cases.record(systemScope, run.case, null, entry)
    await admin('POST', `${url}/comments`, { text: 'Seen | by\n# me' })
    const headers = { cookie: `Session=${api.admin}` }
    const told = await api.app.inject({ method: 'GET', url: `${url}/export`, headers })
    expect([told.statusCode, told.headers['content-type'], told.headers['content-disposition']]).toEqual([
      200,
      'text/markdown; charset=utf-8',
      `attachment; filename="${id}.md"`,
    ])
    expect(told.body).toContain(`# ${id.replace('-', '\\-')}\\: Found`)
    expect(told.body).toContain('high\\: \\[click\\]\\(https\\://evil\\.example\\) &lt;b&gt;')
    expect(told.body).toContain('| test | comment\\: Seen \\| by ⏎ \\# me |')
    const pdf = await api.app.inject({ method: 'GET', url: `${url}/export?format=pdf`, headers })
    expect([pdf.statusCode, pdf.headers['content-type'], pdf.headers['content-disposition']]).toEqual([
      200,
      'application/pdf',
      `attachment; filename="${id}.pdf"`,
    ])
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    const { paths } = (await admin('GET', '/platformapi/openapi.json')).body
    const { content } = paths['/platformapi/cases/{id}/export'].get.responses['200']
    expect(Object.keys(content)).toEqual(['text/markdown', 'application/pdf', 'application/json'])
    const { body } = await admin('GET', `${url}/export?format=json`)
    expect(body).toMatchObject({ case_id: id, timeline: expect.any(Array) })
    expect((await admin('GET', `${url}/export?format=exe`)).body.code).toBe('query_invalid')
  })
})

describe('two cases', () => {
  test('are linked, and both show it', async () => {
    const [a, b] = [await opened(), await opened()]
    expect((await admin('POST', `${a.url}/links`, { case: b.id, text: 'Same user' })).body.links).toMatchObject([
      { case_id: b.id, by: 'test', title: 'Found' },
    ])
    expect((await admin('GET', b.url)).body.links).toMatchObject([{ case_id: a.id }])
    expect((await admin('POST', `${a.url}/links`, { case: a.id })).body.code).toBe('case_other_needed')
    expect((await admin('DELETE', `${b.url}/links/${a.id}`)).body.links).toEqual([])
    expect((await admin('GET', a.url)).body.links).toEqual([])
  })

  test('are merged: the target shows alerts and decisions of the other, runs may still write to it, and it can be taken back', async () => {
    const [a, b] = [await opened(), await opened()]
    const decision = await openDecision(api, a.run)
    const asked = { kind: 'decision', decision: asId<DecisionId>(decision), state: 'open', title: 'Suspend ada?', by: [], text: null } as const
    const byRun = (key: string) => ({ key, at: api.clock.now(), actor: { run: a.run.id, step: 's' } })
    await api.store.cases.record(systemScope, a.run.case, null, { ...byRun('asked'), body: asked })
    expect((await admin('POST', `${a.url}/merge`, { into: b.id })).body).toMatchObject({
      status: 'closed',
      merged_into: { case_id: b.id, by: 'test' },
    })
    // Whoever comes from the alert, the run or the decision sees it, too, and in their lists.
    const lists = () =>
      Promise.all(
        [`alerts?case=${a.id}`, `runs?state=waiting`, 'decisions'].map(async (list) => {
          const { items } = (await admin('GET', `/platformapi/${list}`)).body
          expect(items.filter((one: { case_id: string }) => one.case_id === b.id).every(nobody)).toBe(true)
          return items.find((one: { case_id: string }) => one.case_id === a.id).case_merged_into
        }),
      )
    const nobody = (one: { case_merged_into: unknown }) => one.case_merged_into === null
    const from = async () => [
      (await admin('GET', `/platformapi/alerts/${a.run.alert}`)).body.case.merged_into,
      (await admin('GET', `/platformapi/runs/${a.run.id}`)).body.case_merged_into,
      (await admin('GET', `/platformapi/decisions/${decision}`)).body.case_merged_into,
      ...(await lists()),
    ]
    const merge = { case_id: b.id, case_uuid: b.run.case, at: expect.any(Number), by: 'test' }
    expect(await from()).toEqual(Array(6).fill(merge))
    const change = { status: 'contained' } as const
    await api.store.cases.record(systemScope, a.run.case, change, { ...byRun('contained'), body: { kind: 'change', change } })
    expect((await admin('GET', a.url)).body.status).toBe('closed')
    expect((await admin('GET', b.url)).body).toMatchObject({
      status: 'new',
      merged: [{ case_id: a.id, status: 'closed', alerts: [{ alert_uuid: a.run.alert }], attention: [] }],
      open_decisions: [{ id: decision }],
    })
    expect((await admin('PATCH', a.url, { status: 'new' })).body.code).toBe('case_merged')
    expect((await admin('PATCH', a.url, { severity: 'low' })).body.severity).toBe('low')
    const third = await opened()
    expect((await admin('POST', `${third.url}/merge`, { into: a.id })).body.code).toBe('case_merged')
    expect((await admin('POST', `${b.url}/merge`, { into: third.id })).body.code).toBe('case_merged')
    expect((await admin('DELETE', `${a.url}/merge`)).body).toMatchObject({ status: 'contained', merged_into: null })
    expect(await from()).toEqual(Array(6).fill(null))
    expect((await admin('GET', b.url)).body.merged).toEqual([])
    expect((await admin('DELETE', `${a.url}/merge`)).body.code).toBe('case_not_merged')
  })

  test('merged: closing the target asks about the open decisions of the merged case, too', async () => {
    const [a, b, half] = [await opened(), await opened(), await opened()]
    const decisions: string[] = []
    for (const { run } of [a, half]) {
      const decision = await openDecision(api, run)
      decisions.push(decision)
      await api.store.cases.record(systemScope, run.case, null, {
        key: `${decision}#1`,
        at: api.clock.now(),
        actor: { run: run.id, step: 'ask' },
        body: { kind: 'decision', decision: asId<DecisionId>(decision), state: 'open', title: 'Suspend ada?', by: [], text: null },
      })
    }
    expect((await admin('POST', `${a.url}/merge`, { into: b.id })).status).toBe(200)
    // The merge of this case was stopped by a crash, so its decision is not asked in the target.
    const body = { kind: 'merge', act: 'absorbed', other: { uuid: half.run.case, caseId: half.id }, by: 'test', text: null } as const
    await api.store.cases.record(systemScope, b.run.case, null, { key: 'half', at: api.clock.now(), actor: { run: b.run.id, step: 's' }, body })
    expect((await admin('GET', b.url)).body.open_decisions).toMatchObject([{ id: decisions[0] }])
    const refused = await admin('PATCH', b.url, { status: 'closed' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'case_has_open_decisions', errors: [{ field: `decisions.${decisions[0]}` }] } })
    const closed = await admin('PATCH', b.url, { status: 'closed', open_decisions: 'decline' })
    expect(closed.body).toMatchObject({ status: 'closed', open_decisions: [] })
    const states = await Promise.all(decisions.map((id) => api.store.decisions.get(systemScope, asId<DecisionId>(id))))
    expect(states.map((each) => each?.state)).toEqual(['declined', 'open'])
  })

  test('with open decisions are merged into a closed case only if the request says what happens to these', async () => {
    const [a, closed, open] = [await opened(), await opened(), await opened()]
    await admin('PATCH', closed.url, { status: 'closed' })
    const decision = await openDecision(api, a.run)
    await api.store.cases.record(systemScope, a.run.case, null, {
      key: `${decision}#1`,
      at: api.clock.now(),
      actor: { run: a.run.id, step: 'ask' },
      body: { kind: 'decision', decision: asId<DecisionId>(decision), state: 'open', title: 'Suspend ada?', by: [], text: null },
    })
    const merge = (into: string, open_decisions?: string) => admin('POST', `${a.url}/merge`, { into, ...(open_decisions && { open_decisions }) })
    expect(await merge(closed.id)).toMatchObject({ status: 409, body: { code: 'case_has_open_decisions', errors: [{ message: 'Suspend ada?' }] } })
    expect((await admin('GET', a.url)).body).toMatchObject({ status: 'new', merged_into: null })
    // An open case shows them, so nobody is asked.
    expect((await merge(open.id)).status).toBe(200)
    await admin('DELETE', `${a.url}/merge`)
    expect((await merge(closed.id, 'leave')).status).toBe(200)
    expect((await admin('GET', closed.url)).body.open_decisions).toMatchObject([{ id: decision }])
    await admin('DELETE', `${a.url}/merge`)
    expect((await merge(closed.id, 'decline')).status).toBe(200)
    expect(await api.store.decisions.get(systemScope, asId<DecisionId>(decision))).toMatchObject({
      state: 'declined',
      answers: [{ reason: `${a.id} was merged into ${closed.id}, which is closed.` }],
    })
  })

  test('that took many cases in show the open decisions of all of them', async () => {
    const target = await opened()
    const asked: string[] = []
    for (let count = 0; count < 22; count += 1) {
      const { run, url } = await opened()
      const decision = await openDecision(api, run)
      asked.push(decision)
      await api.store.cases.record(systemScope, run.case, null, {
        key: `${decision}#1`,
        at: api.clock.now(),
        actor: { run: run.id, step: 'ask' },
        body: { kind: 'decision', decision: asId<DecisionId>(decision), state: 'open', title: 'Suspend ada?', by: [], text: null },
      })
      await admin('POST', `${url}/merge`, { into: target.id })
    }
    const { open_decisions: shown } = (await admin('GET', target.url)).body
    expect(shown.map(({ id }: { id: string }) => id).toSorted()).toEqual(asked.toSorted())
  })

  test('can be merged although an earlier merge of another case into them was stopped by a crash', async () => {
    const [a, b, c] = [await opened(), await opened(), await opened()]
    // What the request had written before the crash: the target says that it took the case in, and the case itself says nothing.
    const body = { kind: 'merge', act: 'absorbed', other: { uuid: c.run.case, caseId: c.id }, by: 'test', text: null } as const
    await api.store.cases.record(systemScope, a.run.case, null, { key: 'half', at: api.clock.now(), actor: { run: a.run.id, step: 's' }, body })
    expect((await admin('POST', `${a.url}/merge`, { into: b.id })).body.code).toBe('case_merged')
    api.clock.advance(60_000)
    expect((await admin('POST', `${a.url}/merge`, { into: b.id })).body).toMatchObject({ merged_into: { case_id: b.id }, merged: [] })
  })

  test('of different organizations cannot be connected, and an unseen case is unknown', async () => {
    const a = await opened()
    const outsider = clientOf(api.app, await keyOf('Outsider', ['cases:read', 'cases:write'], ['OTHER']))
    for (const [path, body] of [
      ['tags', { add: ['x'] }],
      ['tasks', { text: 'x' }],
      ['links', { case: a.id }],
      ['merge', { into: a.id }],
    ] as const)
      expect((await outsider('POST', `${a.url}/${path}`, body)).body.code).toBe('case_unknown')
    expect((await outsider('GET', `${a.url}/people`)).body.code).toBe('case_unknown')
  })
})
