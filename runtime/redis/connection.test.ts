import { afterEach, expect, test, vi } from 'vitest'
import { Connection } from './connection.ts'

const reports: unknown[] = []
// Nothing listens on port 1: only root may open it.
const connection = new Connection('redis://user:hunter2@127.0.0.1:1', 'test', (error) => reports.push(error))
let attempts = 0
connection.client.on('reconnecting', () => attempts++)

afterEach(() => connection.close())

test('without Redis, the client keeps trying to connect, and reports the fault once, without the password', async () => {
  connection.client.connect().catch(() => {})
  await vi.waitFor(() => expect(attempts).toBeGreaterThanOrEqual(4), { timeout: 30_000 })
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ code: 'queue_unavailable', message: 'Redis at 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1' })
  const using = connection.use((client) => client.ping())
  await expect(using).rejects.toMatchObject({ code: 'queue_unavailable' })
  connection.close()
  expect(reports).toHaveLength(1)
})
