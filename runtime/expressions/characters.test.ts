import { describe, expect, test } from 'vitest'
import type { Json } from '../domain/index.ts'
import { compileCondition, compileValue } from './index.ts'

/** One emoji is one character, of two UTF-16 code units. */
const context = { text: 'a😀b', emoji: '😀', long: `${'x'.repeat(1_000)}😀`, list: [{ name: '😀😀' }], at: 1, empty: '' }

describe('templates count and cut whole characters', () => {
  test.each<[string, Json | undefined]>([
    ['{{ text | size }}', 3],
    ['{{ text.size }}', 3],
    ['{{ text.length }}', 3],
    ['{{ empty | size }}', 0],
    ['{{ long | size }}', 1_001],
    ['{% if text.size == 3 %}three{% endif %}', 'three'],
    ["{{ list | map: 'name.size' }}", [2]],
    ["{{ list | where: 'name.size', 2 | size }}", 1],
    ["{{ text | split: '' }}", ['a', '😀', 'b']],
    ["{{ text | replace: '', '-' }}", 'a-😀-b'],
    ["{{ text | remove: '' }}", 'a😀b'],
    ['{{ text | slice: 1, 2 }}', '😀b'],
    ["{{ text | truncate: 2, '' }}", 'a😀'],
    ['{{ emoji | first }}', '😀'],
    ['{{ emoji | last }}', '😀'],
    ['{{ text | last }}', 'b'],
    ['{{ empty | first }}', ''],
    ['{{ text[1] }}', '😀'],
    ['{{ text[at] }}', '😀'],
    ['{{ text[2] }}', 'b'],
    ['{{ text[3] }}', undefined],
    ['{{ text[0] }}', 'a'],
    ['{{ text.first }}', undefined],
    ['{{ text.constructor }}', undefined],
  ])('%s', (template, result) => {
    expect(compileValue(template).render(context)).toEqual(result)
  })
})

describe('conditions count and cut whole characters', () => {
  test.each<[Json, Json]>([
    [{ length: { var: 'text' } }, 3],
    [{ length: { var: 'empty' } }, 0],
    [{ substr: [{ var: 'text' }, 1] }, '😀b'],
    [{ substr: [{ var: 'text' }, 1, 1] }, '😀'],
    [{ substr: [{ var: 'text' }, 2] }, 'b'],
    [{ substr: [{ var: 'text' }, -2] }, '😀b'],
    [{ substr: [{ var: 'text' }, -2, 1] }, '😀'],
    [{ substr: [{ var: 'text' }, 0, -1] }, 'a😀'],
    [{ substr: [{ var: 'text' }, 0, -3] }, ''],
    [{ substr: [{ var: 'text' }, -9] }, 'a😀b'],
    [{ substr: [{ var: 'text' }, 9] }, ''],
    [{ substr: [{ var: 'text' }, 1.9, 1.9] }, '😀'],
    [{ substr: [{ var: 'text' }, -1.9] }, 'b'],
  ])('%j', (rule, result) => {
    expect(compileCondition({ '==': [rule, result] }).test({ ...context, run: { now: 0 } })).toBe(true)
  })
})
