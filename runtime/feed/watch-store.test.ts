import { expect, test } from 'vitest'
import { asId, runId, systemScope } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import type { Touch } from './touch.ts'
import { watchStore } from './watch-store.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a claim that the alert shows later touches the alert again then', async () => {
  const alert = asId<never>('a')
  const shown = Promise.withResolvers<void>()
  const run = { id: runId(alert, 1), epoch: 1, case: 'c', caseId: 'ACME-1', organization: 'acme' }
  const claim = async (): Promise<object> => ({ kind: 'claimed', run, shown: shown.promise })
  const noted: (readonly Touch[])[] = []
  const listener = { watched: true, note: (touches: readonly Touch[]) => void noted.push(touches), look: async () => null }
  const watched = watchStore({ runs: { claim } } as unknown as Store, listener)
  await watched.runs.claim(systemScope, { alert, opening: { uuid: 'c' } } as never)
  expect(noted).toHaveLength(1)
  shown.resolve()
  await turn()
  expect(noted.slice(1)).toEqual([[{ kind: 'alert', alert, change: 'changed' }]])
  listener.watched = false
  await watched.runs.claim(systemScope, { alert, opening: { uuid: 'c' } } as never)
  await turn()
  expect(noted).toHaveLength(2)
})

test('a claim that answers before its commit is told after it, and not at all if the commit fails', async () => {
  const alert = asId<never>('a')
  const opened = Promise.withResolvers<void>()
  const run = { id: runId(alert, 1), epoch: 1, case: 'c', caseId: 'ACME-1', organization: 'acme' }
  const lost = Promise.withResolvers<void>()
  const answers = [opened.promise, lost.promise]
  const claim = async (): Promise<object> => ({ kind: 'claimed', run, opened: answers.shift() })
  const noted: (readonly Touch[])[] = []
  const listener = { watched: true, note: (touches: readonly Touch[]) => void noted.push(touches), look: async () => null }
  const watched = watchStore({ runs: { claim } } as unknown as Store, listener)
  await watched.runs.claim(systemScope, { alert, opening: { uuid: 'c' } } as never)
  await turn()
  expect(noted).toEqual([])
  opened.resolve()
  await turn()
  expect(noted).toHaveLength(1)
  await watched.runs.claim(systemScope, { alert, opening: { uuid: 'c' } } as never)
  lost.reject(new Error('the disk is full'))
  await turn()
  expect(noted).toHaveLength(1)
})
