import { expect, test } from 'vitest'
import { textFormatNames } from '../../formats/index.ts'
import { compileSchema } from './schema.ts'

test.each(textFormatNames)('schemas of skills know the format %s', (format) => {
  expect(compileSchema({ type: 'string', format }).faults('no such text')[0]).toMatch(/^the value must be an? /)
})

test('a fault in a format says what is expected, and a forbidden value is named', () => {
  const { faults } = compileSchema({
    type: 'object',
    properties: { value: { type: 'string', format: 'cidr-range' }, at: { type: 'string', format: 'date-time' }, extra: false },
  })
  expect(faults({ value: '192.0.2.1', at: 'today', extra: 1 })).toEqual([
    'value must be a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32',
    'at must be a time with its zone, such as 2026-09-21T08:00:00Z',
    'extra is not allowed together with the other values',
  ])
})
