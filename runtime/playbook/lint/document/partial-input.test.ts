import { describe, expect, it } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import * as typing from '../../../expressions/typing/index.ts'
import { every, fits, isThere, type PartialInput, partialInput, some, type Truth } from './partial-input.ts'

const text = typing.typeOfSchema({ type: 'string' })
const properties = { user: { type: 'string' }, mail: { type: 'string' }, days: { type: 'integer', default: 7 } }

/** Builds an input. `{{ maybe }}` may be missing, other templates are always there, and all other values are literal. */
function input(given: Readonly<Record<string, Json>>, schema: Readonly<Record<string, Json>> = { properties }): PartialInput {
  return partialInput(given, schema, (value) => (value === '{{ maybe }}' ? typing.optional(text, 'maybe') : text))
}

describe('what is known of an input before it is rendered', () => {
  const given = input({ user: '{{ surely }}', mail: '{{ maybe }}', note: 'as it stands' })

  it.each<[string, Truth]>([
    ['user', true],
    ['mail', null],
    ['days', true],
    ['note', true],
    ['other', false],
    ['constructor', false],
  ])('whether %s is there', (name, there) => {
    expect(isThere(given, name)).toBe(there)
  })

  it('a default stands in for what a template leaves out', () => {
    const { days } = Object.fromEntries(input({ days: '{{ maybe }}' }))
    expect(days).toMatchObject({ kind: 'open', surely: true })
    expect(isThere(input({ days: '{{ maybe }}' }), 'days')).toBe(true)
  })

  it('a template deep in a value leaves it open', () => {
    expect(input({ user: { name: ['x', '{{ surely }}'] } }).get('user')).toMatchObject({ kind: 'open' })
    expect(input({ user: { name: ['x', 'y'] } }).get('user')).toMatchObject({ kind: 'known', byDefault: false })
  })
})

describe('whether it fits', () => {
  const user = { user: 'ada' }
  const both = { user: 'ada', mail: 'ada@example.com' }
  const perhaps = { user: 'ada', mail: '{{ maybe }}' }
  const needs = (name: string) => ({ required: [name] })

  it.each<[Readonly<Record<string, Json>>, Json, Truth]>([
    [user, needs('user'), true],
    [user, needs('mail'), false],
    [perhaps, needs('mail'), null],
    [perhaps, { required: ['mail', 'other'] }, false],
    [user, { properties: { user: { const: 'ada' } } }, true],
    [user, { properties: { user: { enum: ['bob'] } } }, false],
    [user, { properties: { user: { pattern: 'a' } } }, null],
    [{ user: '{{ surely }}' }, { properties: { user: { type: 'integer' } } }, false],
    [perhaps, { properties: { mail: { type: 'integer' } } }, null],
    [user, { properties: { mail: false } }, true],
    [both, { properties: { mail: false } }, false],
    [user, { dependentRequired: { user: ['mail'] } }, false],
    [perhaps, { dependentRequired: { mail: ['user'] } }, true],
    [perhaps, { dependentRequired: { mail: ['other'] } }, null],
    [both, { dependentSchemas: { mail: { properties: { user: { const: 'bob' } } } } }, false],
    [{}, { minProperties: 2 }, false],
    [perhaps, { minProperties: 3 }, null],
    [both, { minProperties: 3 }, true],
    [user, { anyOf: [needs('user'), needs('mail')] }, true],
    [perhaps, { anyOf: [needs('mail'), needs('other')] }, null],
    [user, { anyOf: [needs('mail'), needs('other')] }, false],
    [both, { oneOf: [needs('user'), needs('mail')] }, false],
    [perhaps, { oneOf: [needs('user'), needs('mail')] }, null],
    [user, { oneOf: [needs('user'), needs('mail')] }, true],
    [user, { not: needs('mail') }, true],
    [perhaps, { not: needs('mail') }, null],
    [both, { if: needs('mail'), then: needs('other'), else: needs('user') }, false],
    [user, { if: needs('mail'), then: needs('other'), else: needs('user') }, true],
    [perhaps, { if: needs('mail'), then: needs('user'), else: needs('user') }, true],
    [perhaps, { if: needs('mail'), then: needs('other') }, null],
    [user, { 'x-semantic': 'user_name', description: 'of no account' }, true],
    [user, { patternProperties: {} }, null],
    [user, false, false],
    [user, true, true],
  ])('%j in %j: %s', (given, schema, truth) => {
    expect(fits(input(given), schema)).toBe(truth)
  })
})

it('what is not known is neither true nor false', () => {
  expect([every([true, null]), every([null, false]), some([false, null]), some([null, true])]).toEqual([null, false, null, true])
  expect([every([]), some([])]).toEqual([true, false])
})
