import { expect, test } from 'vitest'
import { atOnce, inTurns, type Pausing } from './pausing.ts'
import { noTurns } from './turns.ts'

function* counting(to: number, seen: number[]): Pausing<number> {
  for (let index = 0; index < to; index += 1) {
    seen.push(index)
    yield
  }
  return to
}

test('work runs to its end, at once or in turns', async () => {
  expect(atOnce(counting(3, []))).toBe(3)
  expect(await inTurns(counting(3, []), noTurns, 'a')).toBe(3)
})

test('it waits for a turn under the key of its owner', async () => {
  const seen: number[] = []
  const waiting: { readonly key: string; go(): void }[] = []
  const turns = { next: (key: string) => (seen.length === 2 ? new Promise<void>((resolve) => void waiting.push({ key, go: resolve })) : null) }
  const done = inTurns(counting(4, seen), turns, 'acme')
  await Promise.resolve()
  expect([seen, waiting.map(({ key }) => key)]).toEqual([[0, 1], ['acme']])
  waiting[0]?.go()
  expect(await done).toBe(4)
})

test('an error of the work is thrown', async () => {
  const failing = function* (): Pausing<void> {
    yield
    throw new Error('broken')
  }
  expect(() => atOnce(failing())).toThrow('broken')
  await expect(inTurns(failing(), noTurns, 'a')).rejects.toThrow('broken')
})
