import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
let admin: ReturnType<typeof clientOf>

const post = async (change: object = {}): Promise<Answer['body']> => {
  const { body } = await admin('POST', '/platformapi/alerts', { alert_content: 'x', alert_provider: 'edr', organization_code: 'ACME', ...change })
  await api.handedOver()
  return body
}
const list = (query: string) => admin('GET', `/platformapi/alerts?${query}`)
const contents = ({ body }: Answer): string[] => body.items.map((item: Answer['body']) => item.alert_content_preview)

beforeAll(async () => {
  api = await startApi()
  admin = clientOf(api.app, api.admin)
  for (const code of ['ACME', 'Other', 'Paging']) await admin('POST', '/platformapi/organizations', { code, name: code })
  for (const code of ['edr', 'Mail']) await admin('POST', '/platformapi/providers', { code, name: code })
  await post({ alert_content: '{"title":"Crème brûlée STOLEN from Ana.Maria@example.com"}', alert_type: 'Theft' })
  api.clock.advance(1_000)
  await post({ alert_content: 'second', alert_type: 'theft', organization_code: 'Other' })
  api.clock.advance(1_000)
  await post({ alert_content: 'third', alert_provider: 'MAIL' })
})
afterAll(() => api.close())

test('an item is the alert with a preview instead of its content, and with the fields of the Alerts page', async () => {
  const long = await post({ alert_content: `😀${'x'.repeat(198)}😀 and more`, alert_type: 't', organization_code: 'Other' })
  const { items } = (await list('organization=Other&type=t')).body
  expect(items).toHaveLength(1)
  const { alert_content, ...rest } = long
  expect(items[0]).toMatchObject({ ...rest, modified_at: expect.any(Number), investigation_status: expect.any(Number) })
  expect(items[0]).toMatchObject({ alert_name: 't', status_name: 'Submitted', investigator: null, case_id: null, completed_at: null })
  expect(items[0]).not.toHaveProperty('alert_content')
  expect(items[0].alert_content_preview.isWellFormed()).toBe(true)
  expect([...items[0].alert_content_preview].length).toBeLessThanOrEqual(200)
  expect(alert_content.startsWith(items[0].alert_content_preview.slice(0, 190))).toBe(true)
})

describe('filters', () => {
  test.each([
    ['type=THEFT', ['second', '{"title":"Crème brûlée STOLEN from Ana.Maria@example.com"}']],
    ['type=theft&organization=Other', ['second']],
    ['type=theft&type=t&organization=ACME&organization=Other&limit=1', [expect.stringContaining('😀')]],
    ['provider=mail', ['third']],
    ['provider=nothing', []],
    ['organization=ACME&sort=created_at', ['{"title":"Crème brûlée STOLEN from Ana.Maria@example.com"}', 'third']],
    ['status=Created', ['third']],
    ['status=submitted&status=20&type=theft&organization=Other', ['second']],
    ['status=15', []],
    ['q=stol', [expect.stringContaining('STOLEN')]],
    ['q=CRÈME+ana', [expect.stringContaining('STOLEN')]],
    ['q=ana.maria%40example.com', [expect.stringContaining('STOLEN')]],
    ['q=tolen', []],
    ['q=stolen+second', []],
  ])('%s', async (query, expected) => {
    expect(contents(await list(query))).toEqual(expected)
  })

  test('the time range includes its start, but not its end', async () => {
    const start = 1_800_000_000_000
    expect(contents(await list(`created_from=${start + 1_000}&created_to=${start + 2_000}`))).toEqual(['second'])
    expect(contents(await list(`created_to=${start}`))).toEqual([])
  })
})

describe('paging', () => {
  async function pages(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await list(`${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...body.items.map((item: Answer['body']) => item.alert_uuid))
      cursor = body.next_cursor
      await between()
    }
    return seen
  }

  test.each(['created_at', '-created_at'])(
    'while others arrive, each alert from before the first page appears exactly once, sorted by %s',
    async (sort) => {
      const earlier: string[] = []
      for (let index = 0; index < 25; index++) {
        earlier.push((await post({ organization_code: 'Paging', alert_type: sort })).alert_uuid)
        if (index % 4 === 0) api.clock.advance(1)
      }
      let added = 0
      const seen = await pages(`organization=Paging&type=${sort}&limit=4&sort=${sort}`, async () => {
        if (added++ < 5) await post({ organization_code: 'Paging', alert_type: sort })
      })
      expect(new Set(seen).size).toBe(seen.length)
      expect(seen.filter((uuid) => earlier.includes(uuid))).toEqual(sort === 'created_at' ? earlier : earlier.toReversed())
    },
  )

  test('the limit may change between pages, but the filters may not', async () => {
    const { next_cursor } = (await list('limit=1')).body
    expect((await list(`limit=2&cursor=${next_cursor}`)).status).toBe(200)
    expect((await list(`limit=1&status=0&cursor=${next_cursor}`)).body.code).toBe('cursor_invalid')
    expect((await list(`limit=1&sort=created_at&cursor=${next_cursor}`)).body.code).toBe('cursor_invalid')
    expect((await list(`limit=1&cursor=${next_cursor.slice(0, -2)}`)).body.code).toBe('cursor_invalid')
    expect((await list('cursor=')).body.code).toBe('cursor_invalid')
    expect((await admin('GET', `/platformapi/cases?cursor=${next_cursor}`)).body.code).toBe('cursor_invalid')
  })

  test('the last page has no cursor, even if it is full', async () => {
    const { items } = (await list('organization=ACME')).body
    expect((await list(`organization=ACME&limit=${items.length}`)).body.next_cursor).toBeNull()
    expect((await list('provider=nothing')).body).toEqual({ items: [], next_cursor: null })
  })
})

describe.each(['organizations', 'providers'])('%s', (resource) => {
  const url = `/platformapi/${resource}`
  const exists = resource === 'organizations' ? 'organization_exists' : 'provider_exists'

  test('have codes that are unique in any case, and are listed by code in pages', async () => {
    for (const code of ['zz-b', 'ZZ-a', 'zz.C', 'zz_d']) {
      const { status, body } = await admin('POST', url, { code, name: `Name of ${code}` })
      expect(status).toBe(201)
      expect(body).toMatchObject({ code, name: `Name of ${code}`, created_at: api.clock.now() })
    }
    expect((await admin('POST', url, { code: 'Zz-B', name: 'x' })).body.code).toBe(exists)
    const codes: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body }: Answer = await admin('GET', `${url}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      codes.push(...body.items.map(({ code }: { code: string }) => code))
      cursor = body.next_cursor
    }
    expect(codes).toEqual(codes.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
    expect(codes.filter((code) => code.toLowerCase().startsWith('zz'))).toEqual(['ZZ-a', 'zz-b', 'zz.C', 'zz_d'])
  })

  test.each([
    [{ code: 'ok' }, 'name'],
    [{ name: 'ok' }, 'code'],
    [{ code: '', name: 'x' }, 'code'],
    [{ code: '-a', name: 'x' }, 'code'],
    [{ code: 'a b', name: 'x' }, 'code'],
    [{ code: 'a\n', name: 'x' }, 'code'],
    [{ code: 'ä', name: 'x' }, 'code'],
    [{ code: 'x'.repeat(65), name: 'x' }, 'code'],
    [{ code: 5, name: 'x' }, 'code'],
    [{ code: 'ok', name: ' ' }, 'name'],
    [{ code: 'ok', name: 'x'.repeat(201) }, 'name'],
  ])('%j is refused', async (body, field) => {
    const answer = await admin('POST', url, body)
    expect(answer.body).toMatchObject({ code: 'body_invalid', errors: [{ field }] })
  })
})
