import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { silentConnections } from './silent-connections.ts'

test('a server that closes waits for requests, and for no connection without one', async () => {
  const server = createServer((request, response) => request.resume().on('end', () => response.end('done')))
  const closeSilent = silentConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const served: Socket[] = []
  server.on('connection', (socket: Socket) => served.push(socket))
  const open = async (): Promise<Socket> => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1')
    client.on('error', () => {})
    await accepted
    return client
  }
  const silent = await open()
  // One sends a part of its headers, and one a part of its body.
  const [head, body] = [await open(), await open()]
  head.write('GET / HT')
  body.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n1')
  await expect.poll(() => served.map(({ bytesRead }) => bytesRead > 0)).toEqual([false, true, true])

  const gone = once(silent, 'close')
  closeSilent()
  await gone
  const late = await open()
  await once(late, 'close')
  expect(await connections(server)).toBe(2)

  const closed = once(server, 'close')
  server.close()
  const answers = [text(head), text(body)]
  head.write('TP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  body.write('2')
  expect(await Promise.all(answers)).toEqual([expect.stringContaining('done'), expect.stringContaining('done')])
  await closed
})

const connections = (server: ReturnType<typeof createServer>): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

async function text(client: Socket): Promise<string> {
  let all = ''
  for await (const part of client) all += part
  return all
}
