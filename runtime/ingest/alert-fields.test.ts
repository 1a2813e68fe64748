import { afterEach, expect, test, vi } from 'vitest'
import { alertFieldsOf } from './alert-fields.ts'

afterEach(() => void vi.unstubAllEnvs())

const places = { type: null, typeAt: null, idAt: null, createdAt: '/at' }
const ten = Date.UTC(2026, 10, 28, 10)

test.each(['Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia', 'UTC'])('a time is the same wherever the server is: %s', (zone) => {
  vi.stubEnv('TZ', zone)
  const offset = zone === 'UTC' ? 0 : new Date(ten).getTimezoneOffset()
  expect(offset === 0).toBe(zone === 'UTC')
  const at = (time: string): number | null => alertFieldsOf(places, { at: time }).createdAtSource
  for (const time of ['10:00', '10:00:00', '10:00:00.000', '10:00:00Z', '12:00:00+02:00', '05:00:00.0-0500'])
    for (const between of ['T', ' ']) expect(at(`2026-11-28${between}${time}`), time).toBe(ten)
  expect(at('2026-11-28T10:00:00 or so')).toBeNull()
  expect(at('2026-11-28')).toBeNull()
})

test('a day that does not exist is no time', () => {
  const at = (time: string): number | null => alertFieldsOf(places, { at: time }).createdAtSource
  for (const day of ['2026-02-29', '2026-02-30', '2026-04-31', '2100-02-29', '2026-13-01']) expect(at(`${day}T10:00:00Z`), day).toBeNull()
  expect(at('2028-02-29T10:00:00Z')).toBe(Date.UTC(2028, 1, 29, 10))
})

test('a megabyte in place of a time is none, and costs nothing', () => {
  const at = `2026-11-28T${'T'.repeat(1_000_000)}!`
  // Searching it from each of its letters would take hours.
  expect(alertFieldsOf(places, { at }).createdAtSource).toBeNull()
})
