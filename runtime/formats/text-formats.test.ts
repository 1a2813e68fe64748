import { expect, test } from 'vitest'
import { fitsFormat, type TextFormatName } from './text-formats.ts'

test.each<[TextFormatName, readonly string[], readonly string[]]>([
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
  ['ip', ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'], ['192.0.2.256', '192.0.2', '192.0.2.0/24', 'fe80::1%eth0', '']],
  ['ipv4', ['192.0.2.1'], ['2001:db8::1', '192.0.2', '0300.0.2.1', '3232235521']],
  ['ipv6', ['2001:db8::1', '::'], ['192.0.2.1', 'fe80::1%eth0', '2001:db8::1/64']],
  ['hostname', ['mail.partner.example', 'mail', 'mail_1.partner.example.', '192.0.2.1'], ['a b', '-a.example', 'a..b', '']],
  ['uri', ['https://partner.example/a?b#c', 'mailto:ada@partner.example', 'https://bücher.example/ü'], ['partner.example', '/a', 'https://a b', '']],
  ['uuid', ['0190a6e4-7b5c-7def-8a1b-1234567890ab'], ['1234', '0190a6e47b5c7def8a1b1234567890ab', 'urn:uuid:0190a6e4-7b5c-7def-8a1b-1234567890ab']],
  ['date', ['2024-02-29', '2026-09-21'], ['2026-02-29', '2026-02-30', '2026-13-01', '21.09.2026', '2026-9-1']],
  [
    'date-time',
    ['2026-09-21T08:00:00Z', '2026-09-21 08:00:00.5+02:00', '2026-09-21t08:00:00z'],
    ['2026-09-21T08:00:00', '2026-02-30T08:00:00Z', '2026-09-21T25:00:00Z', '2026-09-21'],
  ],
  ['cidr-range', ['192.0.2.0/24', '0.0.0.0/0', '2001:db8::/128'], ['192.0.2.0/33', '192.0.2.0', '192.0.2.0/024', '2001:db8::/129', '/24', '']],
])('%s', (name, good, bad) => {
  expect(good.filter((text) => !fitsFormat(name, text))).toEqual([])
  expect(bad.filter((text) => fitsFormat(name, text))).toEqual([])
})

test('a text that is too long matches no format', () => {
  expect(fitsFormat('uri', `https://partner.example/${'a'.repeat(8_192)}`)).toBe(false)
})

test.each([
  ['ada@partner.example', true],
  ['josé@partner.example', true],
  ['ada@bücher.example', true],
  ['ada@xn--bcher-kva.example', true],
  ['用户@例え.テスト', true],
  ['ada@bü cher.example', false],
  ['ada@bü/cher.example', false],
  ['ada@ü%2eexample', false],
  ['ada', false],
])('an address may have letters of any script: %s %s', (text, fits) => {
  expect(fitsFormat('email', text)).toBe(fits)
})
