import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { floorServer, type Taken } from './server.ts'
import { SystemClient } from './system-client.ts'

/**
 * The floor: a worker for the same load, written by hand. `node bench/floor/main.ts <system> <ca file> <token>`, with REDIS_URL for floor 1, MONGODB_URL
 * too for floor 2, and FLOOR_FILE alone, the path of a database, for floor 3. Says its address as JSON, and ends when its standard input ends.
 */
const [url = '', ca = '', token = ''] = process.argv.slice(2)
const { REDIS_URL: redis = '', MONGODB_URL: mongodb = '', FLOOR_FILE: file = '' } = process.env
const system = new SystemClient(url, ca, token)

function failed(error: Error): void {
  console.error(error)
  process.exit(1)
}

/** Loads only what this floor needs, because its memory is measured. */
async function open(): Promise<Taken> {
  if (file) {
    const [{ Slots }, { openSqliteFile }, { SqliteRecord }] = await Promise.all([
      import('./slots.ts'),
      import('./sqlite-file.ts'),
      import('./sqlite-record.ts'),
    ])
    return new Slots(new SqliteRecord(openSqliteFile(file)), system, failed)
  }
  const [{ FloorQueue }, { openMongoRecord }] = await Promise.all([import('./queue.ts'), import('./mongo-record.ts')])
  return new FloorQueue(redis, mongodb ? await openMongoRecord(mongodb) : null, system, failed)
}

const taken = await open()
const server = floorServer(taken)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.stdin.resume()
await once(process.stdin, 'end')
server.close()
server.closeAllConnections()
await taken.close()
await system.close()
