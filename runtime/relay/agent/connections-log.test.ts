import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import { ConnectionsLog } from './connections-log.ts'

function logged() {
  const clock = new ManualClock()
  const lines: string[] = []
  const log = new ConnectionsLog((message, { host, port, times = '' } = {}) => lines.push(`${host}:${port} ${message} ${times}`.trim()), clock)
  return { clock, lines, log }
}

const crm = { host: 'crm.example.com', port: 443 }

test('a connection is logged at once', () => {
  const { lines, log } = logged()
  log.told(crm, 'connected')
  expect(lines).toEqual(['crm.example.com:443 connected'])
  log.close()
  expect(lines).toHaveLength(1)
})

test('many equal connections become one line with their number every ten seconds', () => {
  const { clock, lines, log } = logged()
  for (let count = 0; count < 5_000; count++) log.told(crm, count % 2 ? 'connected' : 'not on the allow-list')
  expect(lines).toHaveLength(100)
  clock.advance(10_000)
  expect(lines.slice(100)).toEqual(['crm.example.com:443 not on the allow-list 2450', 'crm.example.com:443 connected 2450'])
  // The next ones are logged at once again.
  log.told(crm, 'connected')
  expect(lines[102]).toBe('crm.example.com:443 connected')
})

test('however many targets are asked for, the log has few lines, and leaves none uncounted', () => {
  const { clock, lines, log } = logged()
  for (let port = 1; port <= 10_000; port++) log.told({ host: '10.0.0.1', port }, 'not on the allow-list')
  clock.advance(10_000)
  expect(lines).toHaveLength(201)
  expect(lines.at(-1)).toBe('undefined:undefined other targets 9800')
})

test('what was counted is logged when the agent stops', () => {
  const { clock, lines, log } = logged()
  for (let count = 0; count < 101; count++) log.told(crm, 'ECONNREFUSED')
  log.close()
  expect(lines.at(-1)).toBe('crm.example.com:443 ECONNREFUSED 1')
  clock.advance(10_000)
  expect(lines).toHaveLength(101)
})
