import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { currentLane, inLane } from './lane.ts'

test('work keeps its lane over waits, beside work of another lane', async () => {
  const lanes = await Promise.all(
    ['a', 'b'].map((lane) =>
      inLane(lane, async () => {
        await setImmediate()
        return currentLane()
      }),
    ),
  )
  expect(lanes).toEqual(['a', 'b'])
  expect(currentLane()).toBeNull()
})
