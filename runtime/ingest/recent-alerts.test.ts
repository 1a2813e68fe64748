import { expect, test } from 'vitest'
import type { Alert } from '../domain/index.ts'
import { RecentAlerts } from './recent-alerts.ts'

const alert = (uuid: string, characters: number): Alert => ({ uuid, type: 't', content: 'c'.repeat(characters) }) as unknown as Alert

/** Returns which of the alerts are still here. */
function left(recent: RecentAlerts, alerts: readonly Alert[]): boolean[] {
  return alerts.map(({ uuid }) => recent.take(uuid) !== undefined)
}

test('the alerts of a flood wait here, and each is taken once', () => {
  const recent = new RecentAlerts()
  const flood = Array.from({ length: 6_000 }, (_, n) => alert(`${n}`, 1_024))
  recent.remember(flood)
  expect(left(recent, flood)).not.toContain(false)
  expect(left(recent, flood)).not.toContain(true)
})

test('the oldest alerts leave if all together have too much content', () => {
  const recent = new RecentAlerts()
  const large = Array.from({ length: 600 }, (_, n) => alert(`${n}`, 16 * 1024))
  recent.remember(large)
  const [first, ...others] = left(recent, large)
  expect([first, others.at(-1)]).toEqual([false, true])
})

test('a larger alert is read from the store', () => {
  const recent = new RecentAlerts()
  const [fits, larger] = [alert('fits', 16 * 1024), alert('larger', 16 * 1024 + 1)]
  recent.remember([fits, larger])
  expect(left(recent, [fits, larger])).toEqual([true, false])
})
