import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../../../runtime/app/start.ts'
import { type Answer, request, type Target } from '../../../runtime/cli/client.ts'
import { readConfig } from '../../../runtime/config/index.ts'
import { createLogger } from '../../../runtime/telemetry/index.ts'
import type { Reply } from '../../simulators/faults.ts'
import { caFile, openPki } from '../../simulators/pki.ts'
import { type SimulatorServer, serveSimulator } from '../../simulators/server.ts'
import { type Installation, newInstallation } from '../../support/processes/installation.ts'
import { until } from '../../support/until.ts'

/* Fetches from a system whose pages go wrong in every way. Nothing hangs, no alert is lost without a word, and none is doubled. */

let installation: Installation
let simulator: SimulatorServer
let running: Awaited<ReturnType<typeof start>>
let admin: Target
let connection: string

/** Not a part of any item: secrets are removed from answers. */
const key = 'secret-of-pages'

type Page = (query: URLSearchParams) => Reply
const pages = new Map<string, Page>()

const manifest = `format: 1
id: pages
name: Pages
vendor: { name: Acme, api: REST }
version: 1.0.0
categories: [other]
credentials: [{ name: url, label: URL, type: origin, required: true }, { name: key, label: Key, type: string, secret: true, required: true }]
origins: ['{{ credentials.url }}']
auth: { scheme: header, header: x-key, value: { credential: key } }
request: { timeout: 5s }
test: { request: { method: GET, path: /test } }
errors: []
`
const skillOf = (id: string, paginate: string): string => `format: 1
id: ${id}
title: List
purpose: List.
category: investigation
impact: read
api: v1
input:
  type: object
  additionalProperties: false
  required: [scenario]
  properties: { scenario: { type: string }, since: { type: integer }, most: { type: integer, default: 5000 } }
output: { type: object, required: [items, truncated], properties: { items: { type: array }, truncated: { type: boolean } } }
request:
  method: GET
  path: /{{ input.scenario }}
  query: { since: '{{ input.since }}' }
  paginate: { ${paginate}, until: '{{ input.most }}' }
  result: { items: '{{ items }}', truncated: '{{ page.truncated }}' }
`
const kinds: Readonly<Record<string, string>> = {
  cursor: 'kind: cursor, send: cursor, next: meta.next, items: data',
  counted: 'kind: cursor, send: cursor, next: meta.next, total: meta.total, items: data',
  url: 'kind: next_url, next: next, items: data',
  link: 'kind: link',
  offset: 'kind: offset, send: offset, total: total, items: data',
}

beforeAll(async () => {
  installation = newInstallation('embedded')
  const folder = join(installation.directory, 'pki')
  const plugin = join(installation.directory, 'plugins', 'pages')
  const playbooks = join(installation.directory, 'playbooks')
  for (const one of [join(plugin, 'skills'), playbooks]) mkdirSync(one, { recursive: true })
  writeFileSync(join(plugin, 'manifest.yaml'), manifest)
  for (const [kind, paginate] of Object.entries(kinds)) writeFileSync(join(plugin, 'skills', `list_${kind}.yaml`), skillOf(`list_${kind}`, paginate))
  simulator = await serveSimulator(
    (asked) => {
      if (asked.headers['x-key'] !== key) return json({ error: 'no key' }, 401)
      return pages.get(asked.path.slice(1))?.(new URLSearchParams(asked.query)) ?? json({ error: 'no such page' }, 404)
    },
    { pki: openPki(folder), port: 0, remember: 5_000 },
  )
  const environment = { ...installation.environment, TOCSIN_CA_FILE: caFile(folder), TOCSIN_PLUGINS: plugin, TOCSIN_PLAYBOOKS: playbooks }
  const config = readConfig(environment, { port: '0' })
  running = await start(config, { api: true, worker: true }, createLogger({ level: config.logLevel, destination: process.stderr }))
  admin = { url: running.url, key: installation.adminKey }
  await request(admin, 'POST', '/platformapi/providers', { code: 'PAGES', name: 'Pages' })
  await request(admin, 'POST', '/platformapi/organizations', { code: 'ACME', name: 'Acme' })
  const credentials = { url: simulator.url, key }
  const made = await request(admin, 'POST', '/platformapi/connections', {
    instance: 'p',
    integration: 'pages',
    organization_code: 'ACME',
    credentials,
  })
  connection = String(made['id'])
})
afterAll(async () => {
  await running?.stop()
  await simulator?.close()
  await installation?.remove()
})

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Reply {
  return { status, body: JSON.stringify(body), headers }
}

/** Makes a fetch of a scenario, waits for its first attempt, and returns it with the requests and alerts that it made. */
async function fetched(kind: string, scenario: string, page: Page) {
  pages.set(scenario, page)
  const made = await request(admin, 'POST', '/platformapi/fetches', {
    name: scenario,
    organization_code: 'ACME',
    connection,
    skill: `list_${kind}`,
    input: { scenario },
    items_at: '/items',
    alert_provider: 'PAGES',
    idempotency_key_at: '/id',
    created_at_source_at: '/at',
    every_seconds: 3_600,
    since: 1_000,
    overlap_seconds: 0,
  })
  const path = `/platformapi/fetches/${made['id']}`
  const attempt = await until(async () => (await request(admin, 'GET', path))['last_attempt'] as Answer | null)
  return { attempt, state: await request(admin, 'GET', path), asked: simulator.exchanges.filter((one) => one.path === `/${scenario}`) }
}

const alertCount = async (): Promise<number> => Number((await request(admin, 'GET', '/platformapi/alerts/count'))['count'])

const itemsFrom = (scenario: string, from: number, count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${scenario}x${from + at}`, at: 2_000_000_000 + from + at }))

/** What the first attempt of a fetch must show, and how many requests and alerts it may make. */
interface Storm {
  readonly kind: string
  readonly page: Page
  readonly attempt: object
  readonly requests: number
  readonly alerts: number
  readonly moved: boolean
}

const cursorOf = (query: URLSearchParams): number => Number(query.get('cursor') ?? 0)
const failed = (code: string): object => ({ found: 0, new: 0, failure: { code } })
const oddItems = `[{"id":1,"w":"odd"},{"id":"1","w":"odd"},{"id":9007199254740993,"w":"odd"},{"id":"9007199254740993","w":"odd"},
  {"id":null,"w":"odd"},{"id":"","w":"odd"},{"id":{},"w":"odd"},{"id":true,"w":"odd"},{"w":"odd"},5,null,"odd text",["odd"],
  {"id":"__proto__","w":"odd"},{"__proto__":{"id":"x"},"constructor":"odd"}]`

const storms: Readonly<Record<string, Storm>> = {
  'new pages for ever': {
    kind: 'cursor',
    page: (query) => json({ data: itemsFrom('forever', cursorOf(query), 1), meta: { next: String(cursorOf(query) + 1) } }),
    attempt: failed('paging_endless'),
    requests: 1_000,
    alerts: 0,
    moved: false,
  },
  'cursors in a circle': {
    kind: 'cursor',
    page: (query) => json({ data: itemsFrom('circle', cursorOf(query), 2), meta: { next: cursorOf(query) === 1 ? '2' : '1' } }),
    attempt: failed('paging_endless'),
    requests: 3,
    alerts: 0,
    moved: false,
  },
  'the same page with new cursors': {
    kind: 'cursor',
    page: (query) => json({ data: itemsFrom('same', 0, 2), meta: { next: String(cursorOf(query) + 1) } }),
    attempt: failed('paging_endless'),
    requests: 2,
    alerts: 0,
    moved: false,
  },
  'empty pages with a next one': {
    kind: 'cursor',
    page: (query) => json({ data: [], meta: { next: String(cursorOf(query) + 1) } }),
    attempt: failed('paging_endless'),
    requests: 20,
    alerts: 0,
    moved: false,
  },
  'a next page at another host': {
    kind: 'url',
    page: () => json({ data: itemsFrom('host', 0, 2), next: 'https://elsewhere.example/host' }),
    attempt: failed('egress_refused'),
    requests: 1,
    alerts: 0,
    moved: false,
  },
  'a link to another host': {
    kind: 'link',
    page: () => json(itemsFrom('link', 0, 2), 200, { link: '<https://elsewhere.example/x>; rel="next"' }),
    attempt: failed('egress_refused'),
    requests: 1,
    alerts: 0,
    moved: false,
  },
  'a next page that is a file': {
    kind: 'url',
    page: () => json({ data: itemsFrom('file', 0, 2), next: 'file:///etc/passwd' }),
    attempt: failed('egress_refused'),
    requests: 1,
    alerts: 0,
    moved: false,
  },
  'too many requests in the middle': {
    kind: 'cursor',
    page: (query) => (cursorOf(query) === 1 ? json({}, 429) : json({ data: itemsFrom('middle', 0, 2), meta: { next: '1' } })),
    attempt: failed('rate_limited'),
    requests: 2,
    alerts: 0,
    moved: false,
  },
  'items that are on two pages': {
    kind: 'cursor',
    page: (query) =>
      json({ data: itemsFrom('twice', cursorOf(query) * 2, 3), meta: { next: cursorOf(query) < 3 ? String(cursorOf(query) + 1) : null } }),
    attempt: { found: 12, new: 9, repeated: 3, changed: 0, failure: null },
    requests: 4,
    alerts: 9,
    moved: true,
  },
  'ids of every kind': {
    kind: 'cursor',
    page: () => ({ status: 200, body: `{"data":${oddItems},"meta":{}}` }),
    // The ids 1 and "1" are the same, and so are both long ones. The items themselves differ.
    attempt: { found: 15, new: 13, repeated: 1, changed: 1, failure: null },
    requests: 1,
    alerts: 13,
    moved: false,
  },
  'fewer items than the system counts': {
    kind: 'counted',
    page: () => json({ data: itemsFrom('fewer', 0, 2), meta: { total: 500, next: null } }),
    attempt: { found: 2, new: 2, failure: { code: 'fetch_incomplete', message: expect.stringContaining('there are 500 items') } },
    requests: 1,
    alerts: 2,
    moved: false,
  },
  'a total that no page reaches': {
    kind: 'offset',
    page: (query) => json({ data: query.get('offset') === null ? itemsFrom('total', 0, 2) : [], total: 500 }),
    attempt: failed('paging_endless'),
    requests: 2,
    alerts: 0,
    moved: false,
  },
  'a large page': {
    kind: 'cursor',
    page: () => json({ data: itemsFrom(`large${'y'.repeat(500)}`, 0, 4_000), meta: {} }),
    attempt: { found: 4_000, new: 4_000, failure: null },
    requests: 1,
    alerts: 4_000,
    moved: true,
  },
}

/** How many alerts there are to be. */
let all = 0

test.each(Object.entries(storms))('%s', async (name, { kind, page, attempt: wanted, requests, alerts, moved }) => {
  const { attempt, state, asked } = await fetched(kind, name.replaceAll(' ', '-'), page)
  expect(attempt).toMatchObject(wanted)
  expect(asked).toHaveLength(requests)
  all += alerts
  // A count is up to a second old.
  await until(async () => (await alertCount()) === all)
  // If anything failed, the next attempt asks for the same time.
  expect(Number(state['since']) > 1_000).toBe(moved)
})
