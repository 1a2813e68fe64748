import { expect, test } from 'vitest'
import type { Execution } from '../execution.ts'
import { turnFor } from './evaluate.ts'

function waiting(turn: Promise<void> | null) {
  let gathering = 0
  const journal = {
    gather: () => {
      gathering += 1
      return () => {
        gathering -= 1
      }
    },
  }
  const run = turnFor({ turns: { next: () => turn }, run: { organization: 'acme' }, journal } as unknown as Execution)
  return { run, gathering: () => gathering }
}

test('while a run waits for its turn, its journal gathers what it has read', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { run, gathering } = waiting(promise)
  expect(gathering()).toBe(1)
  resolve()
  await run
  expect(gathering()).toBe(0)
})

test('a run that need not wait gathers nothing', () => {
  const { run, gathering } = waiting(null)
  expect([run, gathering()]).toEqual([null, 0])
})
