import { expect, test } from 'vitest'
import type { Alert } from '../domain/index.ts'
import type { InsertedAlert } from '../storage/index.ts'
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

/** An insert of two alerts, whose answer the test gives. */
function inserting() {
  const recent = new RecentAlerts()
  const sent = [alert('one', 4), alert('two', 4)]
  const answer = Promise.withResolvers<readonly InsertedAlert[]>()
  recent.expect(sent, answer.promise)
  const stored = sent.map((each, at): Alert => ({ ...each, alertId: `ACME-EDR-${at + 1}` }))
  return { recent, sent, answer, stored }
}

/** Takes an alert while it is stored. */
function takeUnderWay(recent: RecentAlerts, { uuid }: Alert) {
  const taken = recent.take(uuid)
  if (!taken || !('sent' in taken)) throw new Error('The alert is not under way.')
  return taken
}

test('an alert that is being stored is taken once, and tells when it has a number', async () => {
  const { recent, sent, answer, stored } = inserting()
  const [first, second] = sent as [Alert, Alert]
  const taken = takeUnderWay(recent, first)
  expect(taken.sent).toBe(first)
  answer.resolve(stored.map((each) => ({ alert: each, fresh: true })))
  expect(await taken.stored()).toEqual(stored[0])
  expect([recent.take(first.uuid), recent.take(second.uuid), recent.take(second.uuid)]).toEqual([undefined, stored[1], undefined])
})

test('an alert that repeats an earlier one, or that is not stored after all, is nowhere', async () => {
  const repeated = inserting()
  const taken = takeUnderWay(repeated.recent, repeated.sent[0] as Alert)
  repeated.answer.resolve([
    { alert: alert('earlier', 4), fresh: false },
    { alert: alert('earlier', 4), fresh: false },
  ])
  expect(await taken.stored()).toBeNull()
  const lost = inserting()
  const waiting = takeUnderWay(lost.recent, lost.sent[0] as Alert)
  lost.answer.reject(new Error('the disk is full'))
  expect(await waiting.stored()).toBeNull()
  expect([...left(repeated.recent, [alert('earlier', 4)]), ...left(repeated.recent, repeated.sent), ...left(lost.recent, lost.sent)]).not.toContain(
    true,
  )
})
