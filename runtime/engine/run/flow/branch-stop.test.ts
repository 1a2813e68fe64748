import { expect, test } from 'vitest'
import { BranchStop } from './branch-stop.ts'

const nothing = (): boolean => false

test('steps that were begun before are replayed before a branch stops', () => {
  let ahead = true
  const branchStop = new BranchStop(null, () => ahead)
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
