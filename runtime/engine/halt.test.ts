import { expect, test } from 'vitest'
import { Halt } from './halt.ts'

const nothing = (): boolean => false

test('what was begun before is gone through before a stretch ends', () => {
  let ahead = true
  const halt = new Halt(null, () => ahead)
  halt.stop(new Error('over'))
  halt.stop(new Error('later'))
  halt.check()
  ahead = false
  expect(() => halt.check()).toThrow('over')
})

test('a stretch ends with the one that it is part of', () => {
  const outer = new Halt(null, nothing)
  const inner = new Halt(outer, nothing)
  inner.check()
  outer.stop(new Error('outer'))
  expect(() => inner.check()).toThrow('outer')
})

test('what only its inside stops goes on outside', () => {
  const outer = new Halt(null, nothing)
  new Halt(outer, nothing).stop(new Error('inner'))
  outer.check()
})
