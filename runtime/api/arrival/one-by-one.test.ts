import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as laterTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { loopTurns, noTurns } from '../../fairness/index.ts'
import { mostPipelined } from '../limits.ts'
import { oneByOne } from './one-by-one.ts'

class Connection {
  destroyed = false
  destroy(): void {
    this.destroyed = true
  }
}

let hook: ReturnType<typeof oneByOne>
let begun: string[]
beforeEach(() => {
  hook = oneByOne(noTurns)
  begun = []
})

/** Hands a request to the hook. Returns what ends its answer. */
function send(socket: Connection, name: string, ip = '192.0.2.1'): () => void {
  const response = new EventEmitter()
  hook({ raw: { socket } as unknown as IncomingMessage, ip }, { raw: response as unknown as ServerResponse }, () => begun.push(name))
  return () => void response.emit('close')
}

test('a request begins in a later turn than the one in which the answer before it ends; other connections do not wait', async () => {
  const [one, other] = [new Connection(), new Connection()]
  const end = send(one, 'first')
  const endSecond = send(one, 'second')
  send(one, 'third')
  send(other, 'other')
  await laterTurn()
  expect(begun).toEqual(['first', 'other'])
  end()
  expect(begun).toEqual(['first', 'other'])
  await laterTurn()
  expect(begun).toEqual(['first', 'other', 'second'])
  endSecond()
  await laterTurn()
  expect(begun).toEqual(['first', 'other', 'second', 'third'])
})

test('the next request after an answer begins at once', () => {
  const connection = new Connection()
  for (const name of ['first', 'second']) send(connection, name)()
  expect(begun).toEqual(['first', 'second'])
})

test('a request whose client has gone does not begin', async () => {
  const connection = new Connection()
  const end = send(connection, 'first')
  send(connection, 'second')
  connection.destroyed = true
  end()
  await laterTurn()
  expect(begun).toEqual(['first'])
})

test('a connection on which too many wait is closed', () => {
  const connection = new Connection()
  for (let sent = 0; sent <= mostPipelined; sent += 1) send(connection, 'allowed')
  expect(connection.destroyed).toBe(false)
  send(connection, 'too many')
  expect(connection.destroyed).toBe(true)
  expect(begun).toEqual(['allowed'])
})

test('of many requests on many connections, each pass of the event loop begins one; clients take turns', async () => {
  let [time, pass] = [0, () => {}]
  const turns = loopTurns({
    elapsed: () => time,
    soon: (next) => {
      pass = next
    },
  })
  hook = oneByOne(turns)
  const connections = Array.from({ length: 5 }, () => new Connection())
  // What the first request does takes long.
  send(connections[0] ?? new Connection(), 'flood 1', '2001:db8::1')
  time += 100
  for (const [at, connection] of connections.slice(1).entries()) send(connection, `flood ${at + 2}`, `2001:db8::${at + 2}`)
  send(new Connection(), 'another client', '192.0.2.1')
  expect(begun).toEqual(['flood 1'])
  const expected = ['flood 1', 'flood 2', 'another client', 'flood 3', 'flood 5']
  const [, , , gone] = connections
  if (gone) gone.destroyed = true
  for (const passes of [2, 3, 4, 4, 5]) {
    pass()
    await laterTurn()
    expect(begun).toEqual(expected.slice(0, passes))
  }
})
