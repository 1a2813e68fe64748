import { describe, expect, test } from 'vitest'
import { type Answer, request } from '../../../runtime/cli/client.ts'
import { type Ended, tocsin } from '../../support/processes/in-process.ts'
import { admin, at, create, installation, refusalOf, running } from './connections-system.ts'

const run = (...words: string[]): Promise<Ended> => tocsin(words, { TOCSIN_URL: running.url, TOCSIN_API_KEY: installation.adminKey })

describe('tocsin connection remove', () => {
  test('takes the instance name, and says what it removed', async () => {
    const made = await create({ instance: 'mail-old' })
    expect(await run('connection', 'remove', 'mail-old')).toEqual({
      code: 0,
      out: `removed mail-old (mailsec, ACME; id ${String(made['id'])})\n`,
      err: '',
    })
    expect(await refusalOf(request(admin, 'GET', at(made)))).toMatchObject({ code: 'connection_unknown' })
  })

  test('removes none of several with the same name, until the organization is named', async () => {
    const mine = await create({ instance: 'shared name' })
    const theirs = await create({ instance: 'shared name', organization_code: 'OTHER' })
    expect(await run('connection', 'remove', 'shared name')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('connection_ambiguous') })
    expect(await run('connection', 'remove', 'shared name', '--organization', 'OTHER')).toMatchObject({ code: 0 })
    expect(await refusalOf(request(admin, 'GET', at(theirs)))).toMatchObject({ code: 'connection_unknown' })
    const removed = await run('connection', 'remove', String(mine['id']), '--json')
    expect(JSON.parse(removed.out)).toMatchObject({ id: mine['id'], instance: 'shared name' })
    expect(await run('connection', 'remove', 'shared name')).toMatchObject({ code: 1, err: expect.stringContaining('connection_unknown') })
  })
})

describe('tocsin skill list', () => {
  const listed = async (...words: string[]): Promise<Answer[]> => JSON.parse((await run('skill', 'list', '--json', ...words)).out) as Answer[]

  test('shows the skills of all plugins: name, impact, role, category and title', async () => {
    const { code, out } = await run('skill', 'list')
    expect(code).toBe(0)
    expect(out).toMatch(/^SKILL +IMPACT +ROLE +CATEGORY +TITLE\n/)
    expect(out).toMatch(/^mailsec\.get_mailsec_issues +read .* investigation +\S/m)
    expect(out).toMatch(/^mfa\.suspend_mfa_user +(write|high) /m)
  })

  test('narrows by integration, impact, category and text', async () => {
    const all = await listed()
    expect(new Set((await listed('mfa')).map(({ id }) => String(id).split('.')[0]))).toEqual(new Set(['mfa']))
    const writes = await listed('--impact', 'write', '--category', 'containment')
    expect(writes.length).toBeGreaterThan(0)
    expect(writes).toEqual(all.filter(({ impact, category }) => impact === 'write' && category === 'containment'))
    expect((await listed('--search', 'SUSPEND')).map(({ id }) => id)).toContain('mfa.suspend_mfa_user')
    expect(await listed('mfa', '--search', 'no such text')).toEqual([])
  })

  test('with --json, has what a call needs', async () => {
    const [skill] = await listed('--search', 'mfa.suspend_mfa_user')
    expect(skill).toMatchObject({ input: { type: 'object' }, output: { type: 'object' }, example: expect.anything(), warnings: expect.any(Array) })
  })

  test('an integration that nobody loaded is refused, and the loaded ones are named', async () => {
    const { code, err } = await run('skill', 'list', 'nothing')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/mailsec, mfa.*integration_unknown/) })
  })
})
