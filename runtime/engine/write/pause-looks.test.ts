import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import type { Pause } from '../../domain/index.ts'
import type { Store } from '../../storage/index.ts'
import { PauseLooks } from './pause-looks.ts'

/** Returns a `PauseLooks` whose reads of the store wait until the test answers them. */
function stage(opened: Promise<void> | null) {
  const clock = new ManualClock()
  const reads: PromiseWithResolvers<readonly Pause[]>[] = []
  const standing = (): Promise<readonly Pause[]> => {
    const read = Promise.withResolvers<readonly Pause[]>()
    reads.push(read)
    return read.promise
  }
  const store = { pauses: { standing } } as unknown as Pick<Store, 'pauses'>
  return { clock, reads, looks: new PauseLooks(store, clock, opened) }
}

const pause = { id: 'p' } as Pause

test('a look that was begun while the case opened is the look of that write', async () => {
  const { reads, looks } = stage(new Promise(() => {}))
  looks.lookAhead('act')
  expect(reads).toHaveLength(1)
  const found = looks.standing('act')
  expect(reads).toHaveLength(1)
  reads[0]?.resolve([pause])
  expect(await found).toEqual([pause])
})

test('each other write, and each further try, has a look of its own', () => {
  const { reads, looks } = stage(new Promise(() => {}))
  looks.lookAhead('act')
  void looks.standing('other')
  expect(reads).toHaveLength(2)
  void looks.standing('act')
  expect(reads).toHaveLength(2)
  void looks.standing('act')
  expect(reads).toHaveLength(3)
})

test.each([
  ['half a second old', 500, 1],
  ['older', 501, 2],
  ['from before the clock was set back', -1, 2],
])('a look that is %s', (_age, passed, reads) => {
  const subject = stage(new Promise(() => {}))
  subject.looks.lookAhead('act')
  subject.clock.leap(passed)
  void subject.looks.standing('act')
  expect(subject.reads).toHaveLength(reads)
})

test.each([
  ['is open', () => Promise.resolve()],
  ['could not be opened', () => Promise.reject(new Error('taken'))],
  ['was there before', () => null],
])('nothing looks ahead when the case %s', async (_how, open) => {
  const opened = open()
  const { reads, looks } = stage(opened)
  await opened?.catch(() => undefined)
  looks.lookAhead('act')
  expect(reads).toHaveLength(0)
  void looks.standing('act')
  expect(reads).toHaveLength(1)
})

test('a look that fails stops the write, and nothing else', async () => {
  const { reads, looks } = stage(new Promise(() => {}))
  looks.lookAhead('act')
  looks.lookAhead('never sent')
  for (const read of reads) read.reject(new Error('the store is away'))
  await expect(looks.standing('act')).rejects.toThrow('away')
})
