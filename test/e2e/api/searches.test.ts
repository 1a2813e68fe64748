import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OrganizationId, Scope } from '../../../runtime/domain/index.ts'
import type { AlertQuery, RunQuery, Store } from '../../../runtime/storage/index.ts'
import { type Answer, clientOf } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'
import { until } from '../../support/until.ts'

/** A list query that the store works on. */
interface Work {
  readonly scope: Scope
  end(): void
}

let api: ApiServer
let acme: string
let other: string
let organization: OrganizationId
/** The queries in progress. */
let working: Work[] = []
/** The number of queries that began, and the most at once: for each scope, and in all. */
let begun = 0
let most = new Map<string, number>()

/** The store of the server. Its lists of alerts and of runs end when the test ends them. */
const store = new Proxy({} as Store, {
  get: (_, name) => (name === 'alerts' ? alerts : name === 'runs' ? runs : Reflect.get((api as ApiServer | undefined)?.store ?? {}, name)),
})
const alerts = new Proxy({} as Store['alerts'], {
  get: (_, name) => (name === 'list' ? held((scope, query: AlertQuery) => api.store.alerts.list(scope, query)) : Reflect.get(api.store.alerts, name)),
})
const runs = new Proxy({} as Store['runs'], {
  get: (_, name) => (name === 'list' ? held((scope, query: RunQuery) => api.store.runs.list(scope, query)) : Reflect.get(api.store.runs, name)),
})
function held<Query, Page>(list: (scope: Scope, query: Query) => Promise<Page>) {
  return async (scope: Scope, query: Query): Promise<Page> => {
    await turnOf(scope)
    return list(scope, query)
  }
}
async function turnOf(scope: Scope): Promise<void> {
  begun += 1
  await new Promise<void>((resolve) => {
    const work: Work = {
      scope,
      end: () => {
        working = working.filter((each) => each !== work)
        resolve()
      },
    }
    working.push(work)
    for (const [name, count] of [
      [nameOf(scope.organizations), ownWork(scope.organizations)],
      ['in all', working.length],
    ] as const)
      most.set(name, Math.max(count, most.get(name) ?? 0))
  })
}

beforeAll(async () => {
  api = await startApi({ store })
  const admin = clientOf(api.app, api.admin)
  const make = async (code: string): Promise<OrganizationId> => (await admin('POST', '/platformapi/organizations', { code, name: code })).body.uuid
  organization = await make('ACME')
  const second = await make('OTHER')
  acme = await api.addKey(['alerts:read', 'runs:read'], [organization])
  other = await api.addKey(['alerts:read'], [second])
})
beforeEach(() => {
  begun = 0
  most = new Map()
})
afterAll(() => api.close())

const search = (key: string, query = 'q=word'): Promise<Answer> => clientOf(api.app, key)('GET', `/platformapi/alerts?${query}`)
const searches = (count: number, key: string): Promise<Answer>[] => Array.from({ length: count }, () => search(key))
const nameOf = (organizations: Scope['organizations']): string => JSON.stringify(organizations)
const ownWork = (organizations: Scope['organizations']): number =>
  working.filter(({ scope }) => nameOf(scope.organizations) === nameOf(organizations)).length

/** Ends queries until all requests are answered. */
async function answered(asked: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  let open = true
  const all = Promise.all(asked).finally(() => {
    open = false
  })
  while (open) {
    for (const work of working) work.end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return all
}

/** Ends queries once two are in progress: on a busy machine, requests begin one after the other. */
async function together(asked: readonly Promise<Answer>[]): Promise<void> {
  await until(() => working.length === 2)
  await answered(asked)
}

test('one organization runs at most two searches at once, so another organization finds a place', async () => {
  const asked = searches(10, acme)
  await until(() => working.length === 2)
  asked.push(...searches(10, other))
  await until(() => working.length === 3)
  expect(ownWork([organization])).toBe(2)
  const answers = await answered(asked)
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect([begun, most.get(nameOf([organization])), most.get('in all')]).toEqual([20, 2, 3])
})

test('searches with a key of all organizations have their own limit', async () => {
  const asked = searches(10, api.admin)
  await until(() => working.length === 2)
  asked.push(...searches(10, acme))
  await until(() => ownWork([organization]) === 1)
  await answered(asked)
  expect([most.get(nameOf('all')), most.get('in all')]).toEqual([2, 3])
})

test.each(['provider=a', 'type=a', 'status=15'])('a list with %s may take as long as a search, so it waits for a place too', async (query) => {
  await together(Array.from({ length: 10 }, () => search(acme, query)))
  expect(most.get('in all')).toBe(2)
})

test.each(['playbook=a', 'alert_type=a', 'state=completed'])('a list of runs with %s waits for a place, too', async (query) => {
  await together(Array.from({ length: 10 }, () => clientOf(api.app, acme)('GET', `/platformapi/runs?${query}`)))
  expect(most.get('in all')).toBe(2)
})

test('a list that looks at few alerts does not wait for a place', async () => {
  const asked = searches(5, acme)
  await until(() => working.length === 2)
  asked.push(search(acme, 'limit=20'), search(acme, 'organization=ACME&sort=created_at'))
  await until(() => working.length === 4)
  await answered(asked)
})

test('a client that disconnects gives up its place in the queue', async () => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const asked = searches(3, acme)
  await until(() => working.length === 2)
  const taken = once(api.app.server, 'request')
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET /platformapi/alerts?q=lost HTTP/1.1\r\nHost: x\r\nCookie: Session=${acme}\r\n\r\n`)
  const [, response] = await taken
  const closed = once(response, 'close')
  socket.destroy()
  await closed
  await answered([...asked, search(acme)])
  expect(begun).toBe(4)
  expect(api.log.filter((line) => line.includes('request failed'))).toEqual([])
})
