import { expect, test } from 'vitest'
import { BranchStop } from './branch-stop.ts'

const nothing = { any: () => false, later: () => false }

test('steps that were begun before are replayed before a branch stops', () => {
  let ahead = true
  const branchStop = new BranchStop(null, { ...nothing, any: () => ahead })
  branchStop.stop(new Error('over'))
  branchStop.stop(new Error('later'))
  branchStop.check()
  ahead = false
  expect(() => branchStop.check()).toThrow('over')
})

test('a branch stops with the one that contains it', () => {
  const outer = new BranchStop(null, nothing)
  const inner = new BranchStop(outer, nothing)
  inner.check()
  outer.stop(new Error('outer'))
  expect(() => inner.check()).toThrow('outer')
})

test('a stopped inner branch does not stop the outer one', () => {
  const outer = new BranchStop(null, nothing)
  new BranchStop(outer, nothing).stop(new Error('inner'))
  outer.check()
})

test('a stop that is foreseen lets a recorded run come to the step before which it was stopped', () => {
  let later = true
  const asked: string[] = []
  const step = (id: string, passed: boolean) => ({ passed, isBehind: (last: boolean) => last && asked.push(id) > 0 })
  const branchStop = new BranchStop(null, { ...nothing, later: () => later })
  branchStop.foresee(new Error('over'))
  branchStop.check()
  branchStop.check(step('failed', false))
  later = false
  branchStop.check(step('called', true))
  expect(() => branchStop.check(step('not begun', false))).toThrow('over')
  expect(() => branchStop.check()).toThrow('over')
  expect(asked).toEqual(['not begun'])
})
