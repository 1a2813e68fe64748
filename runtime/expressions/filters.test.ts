import { expect, test } from 'vitest'
import { type Context, compileValue } from './index.ts'

const latest = compileValue("{{ list | max_by: 'version' | map: 'version' | first }}")

test('max_by finds the item whose member is the largest number, texts that are numbers included', () => {
  expect(latest.render({ list: [{ version: '9.0' }, { version: '67.0' }, { version: '66.0' }] })).toBe('67.0')
  expect(compileValue("{{ list | max_by: 'n' }}").render({ list: [{ n: -2, a: 1 }, { n: -1 }, { n: -3 }] })).toEqual({ n: -1 })
  expect(compileValue("{% assign last = list | max_by: 'version' %}v{{ last.version }}").render({ list: [{ version: 10 }, { version: 9 }] })).toBe(
    'v10',
  )
})

test('max_by of an empty list is nothing', () => {
  expect(compileValue("{{ list | max_by: 'version' }}").render({ list: [] })).toBeUndefined()
})

test.each<[string, Context]>([
  ['no list', { list: { version: 1 } }],
  ['an item without the member', { list: [{ version: 1 }, {}] }],
  ['an item that is none', { list: [1] }],
  ['no number', { list: [{ version: 'v2' }] }],
  ["an inherited member's name", { list: [{ toString: 1 }, {}] }],
])('max_by refuses %s', (_, context) => {
  expect(() => latest.render(context)).toThrow(expect.objectContaining({ code: 'template_failed' }))
})
