import { expect, test } from 'vitest'
import type { Call } from './messages.ts'
import { restore, shorten } from './short-replies.ts'

const everyone = { organizations: 'all' }

/** What the caller gets, after the call and its short reply have been copied between threads. */
function throughThreads(call: Call, perform: (copied: Call) => unknown): { readonly short: unknown; readonly whole: unknown } {
  const copied = structuredClone(call)
  const short = structuredClone(shorten(perform(copied), copied))
  return { short, whole: restore(short, call) }
}

test('a new run gets its pins from the claim, a run that is claimed again has its own', () => {
  const pins = { playbook: { name: 'p', digest: 'd' } }
  const call: Call = { aggregate: 'runs', method: 'claim', parameters: [everyone, { run: 'r', pins }] }
  const claimed = (own: unknown): object => ({ kind: 'claimed', run: { id: 'r', pins: own }, position: 1, journal: [], heldSince: null })
  const fresh = throughThreads(call, ({ parameters }) => claimed((parameters[1] as { pins: unknown }).pins))
  expect(fresh.short).toMatchObject({ run: { id: 'r', pins: null } })
  expect(fresh.whole).toEqual(claimed(pins))
  const earlier = { playbook: { name: 'p', digest: 'earlier' } }
  expect(throughThreads(call, () => claimed(earlier)).whole).toEqual(claimed(earlier))
  expect(throughThreads(call, () => ({ kind: 'over' })).whole).toEqual({ kind: 'over' })
})

test('an alert gets its content from the call, an earlier one with its key has its own', () => {
  const call: Call = { aggregate: 'alerts', method: 'insert', parameters: [everyone, [{ content: 'one' }, { content: 'two' }]] }
  const inserted = [
    { alert: { alertId: 'A-1', content: 'one' }, fresh: true },
    { alert: { alertId: 'A-0', content: 'earlier' }, fresh: false },
  ]
  const { short, whole } = throughThreads(call, () => inserted)
  expect(short).toMatchObject([{ alert: { content: null } }, { alert: { content: 'earlier' } }])
  expect(whole).toEqual(inserted)
})

test('other replies stay as they are', () => {
  const call: Call = { aggregate: 'cases', method: 'get', parameters: [everyone, 'c'] }
  expect(throughThreads(call, () => ({ title: 't' }))).toEqual({ short: { title: 't' }, whole: { title: 't' } })
  expect(throughThreads(call, () => undefined).whole).toBeUndefined()
})
