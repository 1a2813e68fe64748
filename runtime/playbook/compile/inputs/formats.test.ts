import { expect, test } from 'vitest'
import { fitsFormat } from './formats.ts'

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
