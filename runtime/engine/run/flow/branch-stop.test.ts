import { expect, test } from 'vitest'
import { BranchStop } from './branch-stop.ts'

const nothing = (): boolean => false

test('what was begun before is gone through before a stretch ends', () => {
  let ahead = true
  const branchStop = new BranchStop(null, () => ahead)
  branchStop.stop(new Error('over'))
  branchStop.stop(new Error('later'))
  branchStop.check()
  ahead = false
  expect(() => branchStop.check()).toThrow('over')
})

test('a stretch ends with the one that it is part of', () => {
  const outer = new BranchStop(null, nothing)
  const inner = new BranchStop(outer, nothing)
  inner.check()
  outer.stop(new Error('outer'))
  expect(() => inner.check()).toThrow('outer')
})

test('what only its inside stops goes on outside', () => {
  const outer = new BranchStop(null, nothing)
  new BranchStop(outer, nothing).stop(new Error('inner'))
  outer.check()
})
