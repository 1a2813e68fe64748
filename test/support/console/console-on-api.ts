import { afterAll, beforeAll } from 'vitest'
import { createConsole } from '../../../runtime/console/index.ts'
import type { Clock } from '../../../runtime/domain/index.ts'
import { clientOf } from '../api/api-client.ts'
import { type ApiServer, startApi } from '../api/api-server.ts'
import { type Visits, visiting } from './visits.ts'

/** The console of an API over a store in memory, and a browser. Nothing is there before the tests begin. */
export interface ConsoleOnApi extends Visits {
  readonly api: ApiServer
  /** The API with the key of the administrator. */
  readonly admin: ReturnType<typeof clientOf>
}

/**
 * Starts a server and a browser for the tests of one `describe` block, and stops them after its last test.
 * @param fill puts something into the store
 * @param feedClock as in `startApi`
 * @param reach the address that the browser uses, if it is not that of the server
 */
export function consoleOnApi(
  fill: (server: Pick<ConsoleOnApi, 'api' | 'admin'>) => Promise<void> = async () => {},
  { feedClock, reach = async (url) => url }: { readonly feedClock?: Clock; readonly reach?: (url: string) => Promise<string> } = {},
): ConsoleOnApi {
  let url: string
  let api: ApiServer
  let admin: ConsoleOnApi['admin']

  beforeAll(async () => {
    api = await startApi({ console: createConsole() }, feedClock)
    url = await reach(await api.app.listen({ host: '127.0.0.1', port: 0 }))
    admin = clientOf(api.app, api.admin)
    await fill({ api, admin })
  })
  // The last hook ends first: the browser is closed before its server.
  afterAll(() => api?.close())
  const visits = visiting(() => ({ url, key: api.admin }))

  return {
    at: visits.at,
    get person() {
      return visits.person
    },
    get api() {
      return api
    },
    get admin() {
      return admin
    },
  }
}
