import { beforeEach, expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { createLogger } from '../../telemetry/index.ts'
import { WrongKeys } from './wrong-keys.ts'

let clock: ManualClock
let log: string[]
let keys: WrongKeys

beforeEach(() => {
  clock = new ManualClock()
  log = []
  keys = new WrongKeys(clock, createLogger({ level: 'info', destination: { write: (line) => void log.push(line) } }))
})

/** Sends wrong keys from an address. @returns how many were checked */
function guess(address: string, times: number): number {
  let looked = 0
  for (let time = 0; time < times; time += 1) {
    try {
      keys.begin(address).wrong()
      looked += 1
    } catch (error) {
      expect(error).toMatchObject({ code: 'key_attempts_exceeded' })
    }
  }
  return looked
}

test('an address that sends too many wrong keys is locked out, the log says so once, and other addresses are not', () => {
  expect(guess('192.0.2.1', 1_000)).toBe(10)
  expect(guess('192.0.2.2', 1)).toBe(1)
  expect(log.filter((line) => line.includes('locked out') && line.includes('192.0.2.1'))).toHaveLength(1)
})

test('parallel guesses get no more tries than sequential ones', () => {
  const attempts = Array.from({ length: 50 }, () => {
    try {
      return keys.begin('192.0.2.1')
    } catch {
      return null
    }
  })
  expect(attempts.filter((attempt) => attempt !== null)).toHaveLength(10)
})

test('a locked address gets one more try after six seconds, and all tries after a quiet minute', async () => {
  guess('192.0.2.1', 20)
  await clock.advance(6_000)
  expect(guess('192.0.2.1', 20)).toBe(1)
  await clock.advance(60_000)
  expect(guess('192.0.2.1', 20)).toBe(10)
  expect(log.filter((line) => line.includes('may send keys again'))).toHaveLength(1)
})

test('a right key does not count', () => {
  for (let time = 0; time < 100; time += 1) keys.begin('192.0.2.1').right()
  expect(guess('192.0.2.1', 20)).toBe(10)
})

test('answers to wrong keys come later and later', () => {
  const delays = Array.from({ length: 10 }, () => keys.begin('192.0.2.1').wrong())
  expect(delays).toEqual([0, 0, 0, 0, 0, 400, 800, 1_200, 1_600, 2_000])
})

test.each([
  ['one IPv6 network', (at: number) => `2001:db8:1:2::${at.toString(16)}`],
  ['one IPv4 address, written in two ways', (at: number) => (at % 2 ? '192.0.2.9' : '::ffff:192.0.2.9')],
])('%s is one address', (_what, address) => {
  let looked = 0
  for (let at = 1; at <= 100; at += 1) looked += guess(address(at), 1)
  expect(looked).toBe(10)
})

test('wrong keys of all addresses together are limited; an address that sent none still gets its key checked', async () => {
  let looked = 0
  for (let round = 0; round < 10; round += 1) for (let at = 0; at < 100; at += 1) looked += guess(`10.0.0.${at}`, 1)
  expect(looked).toBe(300)
  expect(guess('192.0.2.77', 5)).toBe(1)
  expect(log.filter((line) => line.includes('from all addresses together'))).toHaveLength(1)
  await clock.advance(60_000)
  expect(guess('192.0.2.78', 5)).toBe(5)
})

test('it remembers a limited number of addresses', () => {
  for (let at = 0; at < 12_000; at += 1) guess(`10.${at >> 8}.${at & 255}.1`, 1)
  expect(keys.addresses).toBe(10_000)
})
