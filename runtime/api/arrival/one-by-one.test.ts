import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as laterTurn } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
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
  hook = oneByOne()
  begun = []
})

/** Hands a request to the hook. Returns what ends its answer. */
function send(socket: Connection, name: string): () => void {
  const response = new EventEmitter()
  hook({ raw: { socket } as unknown as IncomingMessage }, { raw: response as unknown as ServerResponse }, () => begun.push(name))
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
