import { expect, test } from 'vitest'
import type { Json } from '../../../domain/index.ts'
import { assume } from './assume.ts'
import { join } from './join.ts'
import type { Cause } from './presence.ts'
import { become, opening, presenceOf, type State } from './state.ts'

const cause = (path: string): Cause => ({ kind: 'branch', path: [path] })
const start = opening()
const done = become(start, 'steps.a', 'done')

test('where paths meet, a step may have become what it became on any of them, for the first reason', () => {
  const twice = join(done, start, cause('first'))
  expect(presenceOf(twice, 'steps.a')).toEqual({ may: new Set(['done', 'absent']), cases: [], cause: cause('first') })
  const again = join(twice, start, cause('second'))
  expect(presenceOf(again, 'steps.a')).toEqual(presenceOf(twice, 'steps.a'))
  const failed = join(again, become(start, 'steps.a', 'failed', cause('third')), cause('fourth'))
  expect(presenceOf(failed, 'steps.a')).toEqual({ may: new Set(['done', 'absent', 'failed']), cases: [], cause: cause('first') })
})

test('a step that was absent on both paths for no known reason gets the reason of the place where they meet', () => {
  const met = join(become(start, 'steps.a', 'absent'), start, cause('first'))
  expect(presenceOf(met, 'steps.a')).toEqual({ may: new Set(['absent']), cases: [], cause: cause('first') })
})

test('what tells one path from the other is forgotten where a third path meets them', () => {
  const rule = { var: 'alert.flag' }
  const met: State = join(become(assume(start, rule, true), 'steps.a', 'done'), assume(start, rule, false), cause('first'))
  expect(presenceOf(assume(met, rule, true), 'steps.a').may).toEqual(new Set(['done']))
  const third = join(met, assume(start, rule, true), cause('second'))
  expect(presenceOf(assume(third, rule, true), 'steps.a').may).toEqual(new Set(['done', 'absent']))
})

test('conditions with many parts that decide are analysed in full only up to a limit, because the cost grows with their nesting', () => {
  const nested = (levels: number): Json =>
    levels === 0 ? { var: 'vars.on' } : { or: [{ and: [nested(levels - 1), { var: 'vars.off' }] }, { var: `vars.v${levels}` }] }
  const state = become(opening(), 'steps.a', ['done', 'failed'])
  const isDone: Json = {
    or: [{ '==': [{ var: 'steps.a.status' }, 'done'] }, { and: [{ '==': [{ var: 'steps.a.status' }, 'done'] }, { var: 'alert.flag' }] }],
  }
  expect(presenceOf(assume(state, isDone, true), 'steps.a').may).toEqual(new Set(['done']))
  for (let count = 0; count < 10_000 && state.readers.parts > 0; count += 1) assume(state, nested(5), true)
  expect(state.readers.parts).toBeLessThanOrEqual(0)
  expect(presenceOf(assume(state, isDone, true), 'steps.a').may).toEqual(new Set(['done', 'failed']))
})
