import { expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import type { ApiContext } from '../../context.ts'
import { patientWork } from './patient-work.ts'

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

function begun(work: (signal: AbortSignal) => Promise<unknown> = untilAborted) {
  const [clock, closing] = [new ManualClock(), new AbortController()]
  const inTime = patientWork({ services: { clock }, closing: closing.signal } as unknown as ApiContext)
  return { clock, closing, work: inTime(work) }
}

test('work that the end of the process stops says so: it is no defect', async () => {
  const { closing, work } = begun()
  closing.abort()
  await expect(work).rejects.toMatchObject({ code: 'not_ready', message: 'This process stops.' })
})

test('work that takes too long says so', async () => {
  const { clock, work } = begun()
  clock.advance(60_000)
  await expect(work).rejects.toMatchObject({ code: 'run_takes_too_long' })
})

test('an error of the work itself stays as it is, even if the process stops meanwhile', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const { closing, work } = begun(() => promise)
  closing.abort()
  reject(new Error('mine'))
  await expect(work).rejects.toThrow('mine')
})
