import { expect, test } from 'vitest'
import { systemScope } from '../../../runtime/domain/index.ts'
import type { Retraces } from '../../../runtime/retrace/index.ts'
import { claimOf, insertOne, mustClaim, newAlert, newTenant, openSession, organizationOf } from '../../conformance/storage/fixtures.ts'
import { clientOf } from '../../support/api/api-client.ts'
import { startApi } from '../../support/api/api-server.ts'

test('a request for the steps of a run is given up after a minute', async () => {
  const begun = Promise.withResolvers<void>()
  const endless = (_run: unknown, _query: unknown, signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      begun.resolve()
    })
  const unasked = () => Promise.reject(new Error('not asked for'))
  const retraces: Retraces = { list: endless, one: endless, value: unasked, graph: unasked, writes: unasked }
  const api = await startApi({ retraces })
  try {
    const tenant = newTenant()
    await api.store.organizations.create(systemScope, organizationOf(tenant))
    const alert = await insertOne(api.store, newAlert(tenant, {}))
    const { run } = await mustClaim(api.store, claimOf(alert, await openSession(api.store), 1, api.clock.now()))
    const answer = clientOf(api.app, api.admin)('GET', `/platformapi/runs/${run.id}/steps`)
    await begun.promise
    api.clock.advance(60_000)
    expect(await answer).toMatchObject({ status: 503, body: { code: 'run_takes_too_long', detail: expect.stringContaining('60 s') } })
  } finally {
    await api.close()
  }
})
