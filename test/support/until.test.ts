import { expect, TestRunner, test, vi } from 'vitest'
import { until } from './until.ts'

test('if the time of a test runs out, its error says what it still waited for, and the wait ends', async () => {
  const timeOut = new AbortController()
  const found = vi.spyOn(TestRunner, 'getCurrentTest').mockReturnValue({ context: { signal: timeOut.signal } } as never)
  const isThere = () => timeOut.signal.aborted && false
  const waiting = until(isThere)
  found.mockRestore()
  timeOut.abort(new Error('Test timed out.'))
  await expect(waiting).rejects.toThrow(
    /^Test timed out\.\nIt still waited until this is true: \(\) => timeOut\.signal\.aborted && false\n.*until\.test\.ts/,
  )
})

test('a wait in a cleanup after a time-out goes on', async () => {
  const found = vi.spyOn(TestRunner, 'getCurrentTest').mockReturnValue({ context: { signal: AbortSignal.abort() } } as never)
  let asked = 0
  expect(await until(() => ++asked > 1)).toBe(true)
  found.mockRestore()
})
