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

test('if many commands time out at once, the connection is replaced once', async () => {
  const { client, use } = readyConnection()
  await Promise.all(Array.from({ length: 20 }, use))
  expect(client.disconnect).toHaveBeenCalledTimes(1)
  client.emit('close')
  await use()
  expect(client.disconnect).toHaveBeenCalledTimes(2)
})

/** A connection that is ready, as far as it knows. `use` is a command that times out. */
function readyConnection() {
  const ready = new Connection('redis://127.0.0.1:1', 'test', () => {})
  const { client } = ready
  client.status = 'ready'
  vi.spyOn(client, 'disconnect').mockImplementation(() => {})
  const use = (): Promise<void> =>
    expect(ready.use(() => Promise.reject(new Error('Command timed out')))).rejects.toMatchObject({ code: 'queue_unavailable' })
  return { client, use }
}
