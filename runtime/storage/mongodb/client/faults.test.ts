import { MongoBulkWriteError, MongoInvalidArgumentError, MongoNetworkError, MongoServerError } from 'mongodb'
import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { isDuplicate, itemFaults, repeatedOnce, translate, translated } from './faults.ts'
import { longestCall } from './time-limit.ts'

const server = (code: number, labels: string[] = []) => new MongoServerError({ message: 'x', code, errorLabels: labels })

function bulkError(writeErrors: readonly { index: number; code: number; errmsg?: string }[], writeConcern: boolean): MongoBulkWriteError {
  const result = { getWriteErrors: () => writeErrors, getWriteConcernError: () => (writeConcern ? { code: 64 } : undefined) }
  return Object.assign(new MongoBulkWriteError({ message: 'x', code: 11000, writeErrors: [] } as never, result as never), { result })
}

/** Returns a network error in the middle of a bulk, as the driver reports it. */
function lostBulk(error: Error): MongoBulkWriteError {
  const result = { getWriteErrors: () => [], getWriteConcernError: () => undefined }
  return new MongoBulkWriteError(error as never, result as never)
}

/** The driver throws this error unchanged if a socket is lost before everything that was written to it has left. */
const reset = () => Object.assign(new Error('write ECONNRESET'), { errno: -104, code: 'ECONNRESET', syscall: 'write' })

/** The same, if the server has ended the connection right before a command was written to it. Node gives neither `syscall` nor `errno`. */
const ended = () => Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })
const endedTls = () => Object.assign(new Error('ssl/tls alert close notify'), { library: 'SSL routines', code: 'ERR_SSL_TLS_ALERT_CLOSE_NOTIFY' })

test.each([
  ['a lost connection', new MongoNetworkError('reset')],
  ['no primary', server(10107)],
  ['a fail-over under way', server(189)],
  ['a write concern that was not met', server(64)],
  ['a full disk', server(14031)],
  ['what the driver may repeat', server(1, ['RetryableWriteError'])],
  ['a bulk whose write concern was not met', bulkError([], true)],
  ['a bulk whose connection was lost', lostBulk(new MongoNetworkError('connection timed out'))],
  ['a socket that was lost before all had left', reset()],
  ['a bulk whose socket was lost before all had left', lostBulk(reset())],
  ['a socket that the server has ended', ended()],
  ['a socket with TLS that the server has ended', endedTls()],
])('%s becomes store_unavailable', (_, error) => {
  expect(translate(error)).toMatchObject({ code: 'store_unavailable', cause: error })
})

test.each([
  ['a wrong command', server(2)],
  ['a duplicate key that nobody expected', server(11000)],
  ['a bulk with a fault of an item', bulkError([{ index: 1, code: 2 }], false)],
  ['a wrong call of the driver', new MongoInvalidArgumentError('x')],
  ['a defect of ours', new TypeError('x')],
  ['a defect of ours that Node finds', Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
])('%s is not translated', (_, error) => {
  expect(translate(error)).toBe(error)
})

test('a duplicate key is recognized by its code', () => {
  expect([isDuplicate(server(11000)), isDuplicate(server(2)), isDuplicate(new Error('11000'))]).toEqual([true, false, false])
})

test('the errors of a bulk are returned by item', () => {
  const faults = itemFaults(
    bulkError(
      [
        { index: 1, code: 11000 },
        { index: 4, code: 2, errmsg: 'bad' },
      ],
      false,
    ),
  )
  expect([...faults.keys()]).toEqual([1, 4])
  expect(faults.get(1)).toBe('duplicate')
  expect(faults.get(4)).toMatchObject({ message: 'bad' })
})

test('if the write concern of a bulk was not met, nothing is known about its items', () => {
  const error = bulkError([{ index: 1, code: 11000 }], true)
  expect(() => itemFaults(error)).toThrow(error)
  expect(() => itemFaults(server(64))).toThrow(MongoServerError)
})

test('a write that may be repeated is repeated once if the server was lost, and never after another error', async () => {
  let calls = 0
  const failing = (error: Error) => () => {
    calls += 1
    return Promise.reject(error)
  }
  await expect(repeatedOnce(failing(new MongoNetworkError('x')))).rejects.toThrow()
  expect(calls).toBe(2)
  await expect(repeatedOnce(failing(server(2)))).rejects.toThrow()
  expect(calls).toBe(3)
  expect(await repeatedOnce(async () => 'fine')).toBe('fine')
})

test('a call whose answer never comes fails, and any other is as it is', async () => {
  const clock = new ManualClock()
  const calls = translated(clock, {
    never: () => new Promise<string>(() => {}),
    soon: async () => 'here',
    lost: () => Promise.reject(new MongoNetworkError('x')),
  })
  expect(await calls.soon()).toBe('here')
  await expect(calls.lost()).rejects.toMatchObject({ code: 'store_unavailable', message: 'MongoDB does not answer: x' })
  const never = calls.never()
  clock.advance(longestCall)
  await expect(never).rejects.toMatchObject({ code: 'store_unavailable', message: 'MongoDB has not answered for 240 seconds.' })
})
