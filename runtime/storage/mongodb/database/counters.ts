import type { Collection } from 'mongodb'
import { type BulkTurns, inBulks, isDuplicate } from '../client/index.ts'

export interface CounterDocument {
  /** `alert <rendered prefix>` or `case <organization code>`, or `counterFloor`. */
  readonly _id: string
  /** The last number that was taken. */
  readonly last: number
}

/** Counts nothing. After a restore, new counters start above its number, because the dump may lack a counter that gave numbers. */
export const counterFloor = '#floor'

/** Takes `count` consecutive numbers of a counter and returns the first. A new counter starts at 1, or above `counterFloor`. */
export type TakeNumbers = (counter: string, count: number) => Promise<number>

/** Takes numbers in one step for each call. For callers that have already combined their requests. */
export function takeNumbers(counters: Collection<CounterDocument>): TakeNumbers {
  return (counter, count) => step(counters, counter, count)
}

async function step(counters: Collection<CounterDocument>, counter: string, count: number): Promise<number> {
  for (;;) {
    const now = await counters.findOneAndUpdate({ _id: counter }, { $inc: { last: count } }, { returnDocument: 'after' })
    if (now) return now.last - count + 1
    await begin(counters, counter)
  }
}

async function begin(counters: Collection<CounterDocument>, counter: string): Promise<void> {
  const floor = await counters.findOne({ _id: counterFloor })
  try {
    await counters.updateOne({ _id: counter }, { $setOnInsert: { last: floor?.last ?? 0 } }, { upsert: true })
  } catch (error) {
    // Two first calls may race to create the counter. It exists now.
    if (!isDuplicate(error)) throw error
  }
}

/** Takes numbers in one step for each counter, however many callers need some at the same time. */
export function takeNumbersTogether(turns: BulkTurns, counters: Collection<CounterDocument>): TakeNumbers {
  const call = inBulks<{ readonly counter: string; readonly count: number }, number>(turns, 256, async (wants) => {
    const totals = new Map<string, number>()
    const offsets = wants.map(({ counter, count }) => {
      const offset = totals.get(counter) ?? 0
      totals.set(counter, offset + count)
      return offset
    })
    const steps = await Promise.all([...totals].map(async ([counter, total]) => [counter, await step(counters, counter, total)] as const))
    const firsts = new Map(steps)
    return wants.map(
      ({ counter }, index) =>
        () =>
          (firsts.get(counter) ?? Number.NaN) + (offsets[index] ?? Number.NaN),
    )
  })
  return (counter, count) => call({ counter, count })
}
