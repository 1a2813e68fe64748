import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

let echo: Server
let proxy: TcpProxy
let client: Socket

const connected = async (): Promise<Socket> => {
  const socket = connect(proxy.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

beforeEach(async () => {
  echo = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await startTcpProxy(() => ({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port }))
  client = await connected()
})

afterEach(async () => {
  client.destroy()
  await proxy.close()
  echo.close()
})

async function echoed(socket: Socket, text: string): Promise<string> {
  const answer = once(socket, 'data')
  socket.write(text)
  return String((await answer)[0])
}

test('passes bytes on in both directions', async () => {
  expect(await echoed(client, 'one')).toBe('one')
})

test('sever resets the connections, and a new one works', async () => {
  await echoed(client, 'one')
  const lost = once(client, 'error')
  proxy.sever()
  expect((await lost)[0]).toMatchObject({ code: 'ECONNRESET' })
  client = await connected()
  expect(await echoed(client, 'two')).toBe('two')
})

test('cut resets all connections, and refuses new ones until mend', async () => {
  await echoed(client, 'one')
  const lost = once(client, 'error')
  proxy.cut()
  await lost
  const refused = connect(proxy.port, '127.0.0.1')
  expect((await once(refused, 'error'))[0]).toMatchObject({ code: 'ECONNRESET' })
  proxy.mend()
  client = await connected()
  expect(await echoed(client, 'two')).toBe('two')
})

test('silence holds all bytes until mend, and loses none', async () => {
  await echoed(client, 'one')
  proxy.silence()
  let heard = ''
  client.on('data', (chunk) => {
    heard += String(chunk)
  })
  client.write('two')
  for (let turn = 0; turn < 50; turn += 1) await turnOfLoop()
  expect(heard).toBe('')
  const answer = once(client, 'data')
  proxy.mend()
  await answer
  expect(heard).toBe('two')
})
