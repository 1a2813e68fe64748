import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { openMongoRecord } from './mongo-record.ts'
import { FloorQueue } from './queue.ts'
import { queueAlone } from './record.ts'
import { floorServer } from './server.ts'
import { SystemClient } from './system-client.ts'

/**
 * The floor: a worker for the same load, written by hand. `node bench/floor/main.ts <system> <ca file> <token>`, with REDIS_URL, and MONGODB_URL for
 * floor 2. Says its address as JSON, and ends when its standard input ends.
 */
const [url = '', ca = '', token = ''] = process.argv.slice(2)
const { REDIS_URL: redis = '', MONGODB_URL: mongodb = '' } = process.env
const record = mongodb ? await openMongoRecord(mongodb) : queueAlone
const system = new SystemClient(url, ca, token)
const queue = new FloorQueue(redis, record, system, (error) => {
  console.error(error)
  process.exit(1)
})
const server = floorServer(queue)
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
process.stdin.resume()
await once(process.stdin, 'end')
server.close()
server.closeAllConnections()
await queue.close()
await record.close()
await system.close()
