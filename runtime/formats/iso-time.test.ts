import { afterEach, expect, test, vi } from 'vitest'
import { isoTime } from './iso-time.ts'

afterEach(() => void vi.unstubAllEnvs())

const ten = Date.UTC(2026, 10, 28, 10)

test.each(['Asia/Kolkata', 'America/St_Johns', 'UTC'])('a time is the same wherever the machine is: %s', (zone) => {
  vi.stubEnv('TZ', zone)
  expect(new Date(ten).getTimezoneOffset() === 0).toBe(zone === 'UTC')
  for (const time of ['T10:00', ' 10:00:00', 'T10:00:00.000', 'T10:00:00Z', 't10:00:00z', 'T12:00:00+02:00', 'T05:00:00.0-0500'])
    expect(isoTime(`2026-11-28${time}`), time).toBe(ten)
  expect(isoTime('2026-11-28')).toBe(Date.UTC(2026, 10, 28))
})

test.each(['', 'tomorrow', '28 Nov 2026', '2026-11', '2026-02-30', '2026-11-28T25:00:00', '2026-11-28T10:00:00 or so'])('%j is no time', (text) => {
  expect(isoTime(text)).toBeUndefined()
})
