import { expect, test } from 'vitest'
import { parseExactly } from './exact-json.ts'

test('only a number that a double cannot hold becomes a text', () => {
  const text = '{"a":12345678901234567890,"b":[-9007199254740993,1e400],"c":7,"d":0.1,"e":"1e400","f":9007199254740991}'
  expect(parseExactly(text)).toEqual({ a: '12345678901234567890', b: ['-9007199254740993', '1e400'], c: 7, d: 0.1, e: '1e400', f: 9007199254740991 })
  expect(() => parseExactly('{')).toThrow(SyntaxError)
})
