import { once } from 'node:events'
import { createRequire } from 'node:module'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { MongoNetworkError } from 'mongodb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endLostWrites } from './lost-writes.ts'

endLostWrites()

interface DriverConnection {
  command(namespace: unknown, command: object): Promise<unknown>
  destroy(): void
}

const load = createRequire(import.meta.url)
const { Connection } = load('mongodb/lib/cmap/connection.js') as { Connection: new (socket: Socket, options: object) => DriverConnection }
const { ns } = load('mongodb/lib/utils.js') as { ns: (name: string) => unknown }

let server: Server
const far: Socket[] = []

beforeEach(async () => {
  // It never reads.
  server = createServer({ pauseOnConnect: true }, (socket) => far.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(async () => {
  for (const socket of far.splice(0)) socket.destroy()
  server.close()
  await once(server, 'close')
})

async function open(): Promise<{ socket: Socket; send: (text: string) => Promise<unknown>; connection: DriverConnection }> {
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const connection = new Connection(socket, { id: 1, generation: 0, hostAddress: `127.0.0.1:${port}` })
  return { socket, connection, send: (text) => connection.command(ns('admin.$cmd'), { insert: text }).catch((error: unknown) => error) }
}

test('a command that is written to a socket right before it emits its close fails', async () => {
  const { socket, send } = await open()
  socket.destroy()
  expect(await send('small')).toBeInstanceOf(MongoNetworkError)
})

test('a large command that waits to leave fails if the driver gives up its connection', async () => {
  const { socket, connection, send } = await open()
  const sent = send('x'.repeat(15_000_000))
  while (!socket.writableNeedDrain) await new Promise(setImmediate)
  connection.destroy()
  expect(await sent).toBeInstanceOf(MongoNetworkError)
})

test('a command fails if its connection is given up right before it is written', async () => {
  const { connection, send } = await open()
  const sent = send('small')
  connection.destroy()
  expect(await sent).toBeInstanceOf(MongoNetworkError)
})
