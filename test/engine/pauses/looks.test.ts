import { afterEach, expect, test } from 'vitest'
import type { JournalRecord, Pause } from '../../../runtime/domain/index.ts'
import type { PauseLook } from '../../../runtime/engine/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import { pause } from '../../support/pauses.ts'
import { Bench, call, done, failing, playbook } from '../support/harness.ts'

let bench: Bench
afterEach(() => bench.close())

/** Returns the bench's store, which tells of each look for pauses and each append, when it begins and when it ends. */
function watched(log: string[], onIntent: () => Promise<unknown> = async () => {}): Store {
  const told = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    log.push(`${what} begins`)
    const result = await work()
    log.push(`${what} ends`)
    return result
  }
  const { journal, pauses } = bench.store
  return new Proxy(bench.store, {
    get(target, name) {
      if (name === 'pauses') return { ...pauses, standing: (...of: Parameters<typeof pauses.standing>) => told('look', () => pauses.standing(...of)) }
      if (name !== 'journal') return Reflect.get(target, name)
      const append: typeof journal.append = (scope, run, entry) => {
        const isIntent = entry.records.some(({ kind }: JournalRecord) => kind === 'intent')
        return told(isIntent ? 'intent' : 'append', async () => {
          if (isIntent) await onIntent()
          return journal.append(scope, run, entry)
        })
      }
      return { ...journal, append }
    },
  })
}

/** Calls a write, and returns the looks that came with its tries. */
async function written(store: Store, tries = 1): Promise<(PauseLook | undefined)[]> {
  const looks: (PauseLook | undefined)[] = []
  await bench.live(({ look }) => {
    looks.push(look)
    return looks.length < tries ? failing('refused', 'vendor_unavailable') : done({ state: 'paged' })
  }, store)
  return looks
}

test('the look right before a write leaves begins with its intent, and the write waits for both', async () => {
  bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
  const log: string[] = []
  const [look] = await written(watched(log))
  expect(log.slice(0, 4)).toEqual(['look begins', 'look ends', 'look begins', 'intent begins'])
  expect(log.slice(4, 6).sort()).toEqual(['intent ends', 'look ends'])
  expect(await look?.standing).toEqual([])
})

test('each try has such a look of its own, and a read has none', async () => {
  const retry = '  retry: { attempts: 2, backoff: constant, delay: 1s, on: [vendor_unavailable] }\n'
  bench = await Bench.open(playbook(call('act', 'page_user', 'ada', retry)))
  const looks = await written(watched([]), 2)
  expect(looks).toHaveLength(2)
  expect(looks[0]).not.toBe(looks[1])
  await bench.close()
  bench = await Bench.open(playbook(call('look', 'get_user', 'ada')))
  expect(await written(bench.store)).toEqual([undefined])
})

test('a pause that was acknowledged before the intent began is never missed: it stops the write before, or its look finds it', async () => {
  bench = await Bench.open(playbook(call('act', 'page_user', 'ada')))
  let stands: Pause | null = null
  const { pauses } = bench.store
  let looks = 0
  const store = new Proxy(bench.store, {
    get(target, name) {
      if (name !== 'pauses') return Reflect.get(target, name)
      return {
        ...pauses,
        standing: async (...of: Parameters<typeof pauses.standing>) => {
          const found = await pauses.standing(...of)
          looks += 1
          // Somebody pauses right after the look before the intent.
          if (looks === 1) stands = await pause(bench.store, bench.clock)
          return found
        },
      }
    },
  })
  const [look] = await written(store)
  expect(stands).not.toBeNull()
  expect(await look?.standing).toEqual([stands])
})
