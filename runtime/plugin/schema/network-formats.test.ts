import { expect, test } from 'vitest'
import { networkFormats } from './network-formats.ts'
import { compileSchema } from './schema.ts'

const fits = (name: string, text: string): boolean => networkFormats[name]?.fits(text) ?? false

test.each([
  [
    'domain',
    ['partner.example', 'a-b.Partner.EXAMPLE', 'xn--bcher-kva.example', 'bücher.example', 'ПОЧТА.рф', '例え.テスト'],
    ['partner', '-a.example', 'a..example', '192.0.2.1', 'a b.example', 'bücher', 'bü cher.example', 'bü/cher.example', 'ü%2e.example', ''],
  ],
  [
    'email',
    [
      'ada@partner.example',
      'Ada.Lovelace+tag@mail.partner.example',
      "o'brien@partner.example",
      'josé@partner.example',
      'ada@bücher.example',
      'ada@xn--bcher-kva.example',
      '用户@例え.テスト',
      '"ada lovelace"@partner.example',
      '"a\\"b@c"@partner.example',
      'a/b=c{d}@partner.example',
    ],
    [
      'ada',
      'ada@',
      '@partner.example',
      'ada@partner',
      'ada lovelace@partner.example',
      'ada@@partner.example',
      'a..b@partner.example',
      '.a@partner.example',
      'ada@partner.example>',
      '<ada@partner.example>',
      'ada@partner.example\n',
      'ada\u200b@partner.example',
      'ada\u202e@partner.example',
      'ada,bob@partner.example',
      'ada@partner.example,bob@partner.example',
      `${'a'.repeat(320)}@partner.example`,
      '',
    ],
  ],
  ['ip-address', ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'], ['192.0.2.256', '192.0.2', '192.0.2.0/24', 'fe80::1%eth0', '']],
  ['cidr-range', ['192.0.2.0/24', '0.0.0.0/0', '2001:db8::/128'], ['192.0.2.0/33', '192.0.2.0', '192.0.2.0/024', '2001:db8::/129', '/24', '']],
])('%s', (name, good, bad) => {
  expect(good.filter((text) => !fits(name, text))).toEqual([])
  expect(bad.filter((text) => fits(name, text))).toEqual([])
})

test('a text that does not fit is told what it must be, and a value that may not be there is named', () => {
  const { faults } = compileSchema({
    type: 'object',
    properties: { value: { type: 'string', format: 'cidr-range' }, at: { type: 'string', format: 'date-time' }, extra: false },
  })
  expect(faults({ value: '192.0.2.1', at: 'today', extra: 1 })).toEqual([
    'value must be a CIDR range, such as 192.0.2.0/24 or 2001:db8::/32',
    'at must match format "date-time"',
    'extra does not belong to the other values',
  ])
})
