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
    expect(at(`2026-11-28T${time}`), time).toBe(ten)
  expect(at('2026-11-28T10:00:00 or so')).toBeNull()
  expect(at('2026-11-28')).toBeNull()
})

test('a megabyte in place of a time is none, and costs nothing', () => {
  const at = `2026-11-28T${'T'.repeat(1_000_000)}!`
  // Searching it from each of its letters would take hours.
  expect(alertFieldsOf(places, { at }).createdAtSource).toBeNull()
})
