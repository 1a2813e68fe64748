import { describe, expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { type Context, compileCondition, compileValue } from '../index.ts'

const latest = compileValue("{{ list | max_by: 'version' | map: 'version' | first }}")

test('max_by finds the item whose member is the largest number, texts that are numbers included', () => {
  expect(latest.render({ list: [{ version: '9.0' }, { version: '67.0' }, { version: '66.0' }] })).toBe('67.0')
  expect(compileValue("{{ list | max_by: 'n' }}").render({ list: [{ n: -2, a: 1 }, { n: -1 }, { n: -3 }] })).toEqual({ n: -1 })
  expect(compileValue("{% assign last = list | max_by: 'version' %}v{{ last.version }}").render({ list: [{ version: 10 }, { version: 9 }] })).toBe(
    'v10',
  )
})

describe('an item without the member does not match', () => {
  const context = { devices: [{ id: 1, role: 'PRIMARY' }, { id: 2 }, { id: 3, role: null }, null], none: null, one: { id: 4 } }
  test.each<[string, Json | undefined]>([
    ["{{ devices | where: 'role', 'PRIMARY' | map: 'id' }}", [1]],
    ["{{ devices | where: 'role' | map: 'id' }}", [1]],
    ["{{ devices | where: 'role', none | map: 'id' }}", [2, 3, null]],
    ["{{ devices | where: 'role', nil | map: 'id' }}", [2, 3, null]],
    ["{{ devices | where: 'owner.name', 'ada' }}", []],
    ["{{ devices | reject: 'role', 'PRIMARY' | map: 'id' }}", [2, 3, null]],
    ["{{ devices | has: 'role', 'SECONDARY' }}", false],
    ["{{ devices | has: 'id', 3 }}", true],
    ["{{ devices | find: 'owner', 'ada' }}", undefined],
    ["{{ devices | find: 'id', 3 }}", { id: 3, role: null }],
    ["{{ devices | find_index: 'id', 3 }}", 2],
    ["{{ devices | group_by: 'role' | map: 'name' }}", ['PRIMARY', null]],
    ["{{ devices | map: 'role' | last }}", null],
    ["{{ devices | map: 'role' | uniq }}", ['PRIMARY', null]],
    ["{{ devices | sort: 'role' | map: 'id' }}", [1, 2, 3, null]],
    ["{{ devices | sum: 'id' }}", 6],
    ["{{ one | group_by: 'role' }}", [{ name: null, items: [{ id: 4 }] }]],
    ["{{ none | where: 'role' }}", []],
    ["{{ devices | where: 'size', 2 | map: 'id' }}", [1, 3]],
    ["{{ devices | where: 'size', 0 }}", []],
    ["{{ devices | where: 'constructor' }}", []],
    ["{{ devices | map: '__proto__' | uniq }}", [null]],
    ["{{ devices | group_by: 'toString' | map: 'name' }}", [null]],
    ["{{ devices | has: 'id.constructor' }}", false],
    ["{{ devices | find_index: 'valueOf' }}", undefined],
  ])('%s', (template, result) => {
    expect(compileValue(template).render(context)).toEqual(result)
  })

  test('a missing variable is missing inside the filter, too', () => {
    expect(() => compileValue("{{ devices | where: 'id', gone }}").render(context)).toThrow('gone is not there')
  })

  test.each(['where', 'reject', 'has', 'find', 'find_index', 'group_by'])('%s refuses items that are not objects', (filter) => {
    for (const [list, kind] of [
      [['PRIMARY'], 'a text'],
      ['PRIMARY', 'a text'],
      [[{ role: 'PRIMARY' }, [{ role: 'PRIMARY' }]], 'a list'],
    ] as const) {
      const render = (): unknown => compileValue(`{{ list | ${filter}: 'role' }}`).render({ list })
      expect(render).toThrow(`\`${filter}\` needs a list of objects, and one of its items is ${kind}`)
    }
  })
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

describe('items that are lists or objects are JSON inside joined text', () => {
  const context = { devices: [{ id: 1 }, ['a', null], null, 'b', 2, true] }
  test.each([
    ["{{ devices | join: '; ' }}", '{"id":1}; ["a",null]; ; b; 2; true'],
    ['{{ devices | join }}', '{"id":1} ["a",null]  b 2 true'],
    ["{{ devices | slice: 0, 2 | array_to_sentence_string: 'or' }}", '{"id":1} or ["a",null]'],
  ])('%s', (template, result) => {
    expect(compileValue(template).render(context)).toBe(result)
  })
})

test('a day that does not exist is no time', () => {
  for (const day of ['2023-02-29', '2026-02-30T10:00:00Z', '2026-04-31 10:00']) {
    expect(() => compileValue("{{ day | date: '%d' }}").render({ day })).toThrow('`date` needs epoch milliseconds or an ISO 8601 time')
    expect(() => compileCondition({ before: [{ var: 'day' }, { var: 'run.now' }] }).test({ day, run: { now: 0 } })).toThrow('`before` needs')
  }
  expect(compileValue("{{ day | date: '%d' }}").render({ day: '2024-02-29' })).toBe('29')
})

test('to_integer refuses a text with more digits than a number keeps', () => {
  const read = compileValue('{{ id | to_integer }}')
  expect(() => read.render({ id: '9007199254740993' })).toThrow('9007199254740993 has more digits than a number can keep; leave it a text')
  expect(() => read.render({ id: ' -12345678901234567890' })).toThrow('-12345678901234567890 has more digits')
  expect(read.render({ id: '9007199254740991' })).toBe(9_007_199_254_740_991)
  expect(read.render({ id: '-0042' })).toBe(-42)
})

test.each([
  'id | plus: 1',
  '1 | plus: id',
  'id | minus: 1',
  'id | times: 1',
  'id | divided_by: 1',
  'id | modulo: 7',
  'id | abs',
  'id | ceil',
  'id | floor',
  'id | round',
  'id | at_least: 0',
  'id | at_most: 9',
  'list | sum',
])('`%s` does not round an integer that came as text because it is beyond 2^53', (filter) => {
  const read = compileValue(`{{ ${filter} }}`)
  expect(() => read.render({ id: '12345678901234567890', list: [1, '12345678901234567890'] })).toThrow(
    '12345678901234567890 has more digits than a number can keep; leave it a text',
  )
  expect(read.render({ id: '42', list: [1, '41'] })).toEqual(expect.any(Number))
})

describe('a list or object is not read as a text', () => {
  const context = { object: { name: 'ada' }, list: ['a', { b: 1 }], text: 'ada', number: 5 }
  test.each([
    ['{{ object | sha256 }}', '`sha256` needs a text, not an object; `| json` makes a text of it'],
    ['{{ list | sha256 }}', '`sha256` needs a text, not a list; `| json` makes a text of it'],
    ['{{ object | downcase }}', '`downcase` needs a text, not an object'],
    ['host:{{ object | strip }}', '`strip` needs a text, not an object'],
    ['{{ object | split: "," }}', '`split` needs a text, not an object'],
    ['{{ object | truncate: 3 }}', '`truncate` needs a text, not an object'],
    ['{{ object | url_encode }}', '`url_encode` needs a text, not an object'],
    ['{{ object | slice: 0, 3 }}', '`slice` needs a list or a text, not an object'],
    ['{{ object | size }}', '`size` needs a list or a text, not an object'],
    ['{{ text | append: object }}', 'argument 1 of `append` must not be an object'],
    ["{{ text | replace: 'a', list }}", 'argument 2 of `replace` must not be a list'],
  ])('%s', (template, message) => {
    expect(() => compileValue(template).render(context)).toThrow(message)
  })

  test.each<[string, Json | undefined]>([
    ['{{ object | json | sha256 | truncate: 8, "" }}', '749a6280'],
    ['{{ list | size }}', 2],
    ['{{ object | map: "name" }}', ['ada']],
    ['{{ list | push: object | size }}', 3],
    ['{{ object | default: "none" }}', { name: 'ada' }],
    ['{{ text | append: empty }}', 'ada'],
    ['{{ object | plus: number }}', 5],
  ])('%s', (template, result) => {
    expect(compileValue(template).render(context)).toEqual(result)
  })
})
