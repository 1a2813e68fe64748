import { expect, test } from 'vitest'
import { Halt } from './halt.ts'

test('what was begun before is gone through before a stretch ends', () => {
  const halt = new Halt(null, ['a', 'b/0/c'])
  halt.stop(new Error('over'))
  halt.stop(new Error('later'))
  halt.check()
  halt.passed('a')
  halt.check()
  halt.passed('b/0/c')
  expect(() => halt.check()).toThrow('over')
})

test('a stretch ends with the one that it is part of, and tells it what it comes past', () => {
  const outer = new Halt(null, ['in/a'])
  const inner = new Halt(outer, ['in/a'])
  outer.stop(new Error('outer'))
  inner.check()
  inner.passed('in/a')
  expect(() => inner.check()).toThrow('outer')
})

test('what only its inside stops goes on outside', () => {
  const outer = new Halt(null, [])
  new Halt(outer, []).stop(new Error('inner'))
  outer.check()
})
