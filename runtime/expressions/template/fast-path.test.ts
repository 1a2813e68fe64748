import { expect, it } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { type Context, compileValue } from '../index.ts'

/** Pseudo-random numbers from a seed, so every run of this test has the same cases. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
}

const names = ['a', 'b', 'size', 'first', 'last', 'length', 'constructor', 'toString', '__proto__', 'x_1', 'hasOwnProperty', 'empty', 'nil', 'true']
const leaves: readonly Json[] = [null, 0, 1.5, true, false, '', 'text', '{{ a }}', [], {}, [1, [2]], ['a', { b: 1 }]]

function randomValue(next: (below: number) => number, depth: number): Json {
  if (depth === 0 || next(4) === 0) return leaves[next(leaves.length)] ?? null
  if (next(4) === 0) return [randomValue(next, depth - 1)]
  return randomObject(next, depth)
}

function randomObject(next: (below: number) => number, depth: number): { readonly [key: string]: Json } {
  return Object.fromEntries(Array.from({ length: 1 + next(5) }, () => [names[next(names.length)] ?? 'a', randomValue(next, depth - 1)]))
}

/** Returns a path that exists, or nearly exists. */
function randomPath(next: (below: number) => number, context: Context): string {
  const path: string[] = []
  let value: unknown = context
  do {
    const keys = typeof value === 'object' && value !== null && next(6) > 0 ? Object.keys(value).filter((key) => /^[A-Za-z_]/.test(key)) : names
    const key = keys[next(Math.max(keys.length, 1))] ?? 'a'
    path.push(key)
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  } while (path.length < 5 && next(3) > 0)
  return path.join('.')
}

function outcome(source: string, context: Context): unknown {
  try {
    return { value: compileValue(source).render(context) }
  } catch (error) {
    return { failed: (error as { code?: string }).code }
  }
}

it('agrees with Liquid on every path, whole and inside text', () => {
  const next = numbers(7)
  let found = 0
  for (let round = 0; round < 1_000; round += 1) {
    const context = randomObject(next, 4) as Context
    const path = randomPath(next, context)
    // White space control and an empty tag change nothing, but they need Liquid.
    const fast = outcome(`{{ ${path} }}`, context)
    expect(fast, `${path} in ${JSON.stringify(context)}`).toEqual(outcome(`{{- ${path} -}}`, context))
    expect(outcome(`[{{ ${path} }}]`, context), path).toEqual(outcome(`[{{ ${path} }}]{% comment %}{% endcomment %}`, context))
    if ((fast as { value?: Json }).value !== undefined) found += 1
  }
  // The test needs enough cases in which a value exists.
  expect(found).toBeGreaterThan(300)
})

it('agrees with Liquid on text around and between paths', () => {
  const context = { a: 'A', b: { c: 2 } }
  for (const source of [
    '{{a}}{{b.c}}',
    ' {{ a }} ',
    'x\n{{ a }}\ny',
    '{{ a }}}',
    '{ {{ a }} }',
    '%}{{ a }}{%',
    "'{{ a }}'",
    '{{ a }}{{',
    '{{{ a }}}',
    '{{ a . b }}',
    '{{ a.}}',
  ]) {
    expect(outcome(source, context), source).toEqual(outcome(`${source}{% comment %}{% endcomment %}`, context))
  }
})
