import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fakedTexts, shapedTexts } from '../../../test/support/joiners.ts'
import { withoutUnseen } from './invisible.ts'

test.each(shapedTexts)('%s keeps its joiners', (text) => {
  expect(withoutUnseen(text)).toBe(text)
})

test.each(fakedTexts)('%j has %d marks', (text, marks) => {
  expect(withoutUnseen(text).split('\ufffd').length - 1).toBe(marks)
})

test('a long text takes no longer for its joiners', () => {
  const text = `م${'ً'.repeat(50_000)}\u200c${'क्'.repeat(50_000)}\u200d${'\u200c'.repeat(50_000)}`
  expect(withoutUnseen(text)).toHaveLength(text.length)
})

test('the console and the runtime let the same joiners through', () => {
  // The page imports no code of the runtime, so each has this file.
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
  expect(read('../../../console/shared/seen/shaping.ts')).toBe(read('shaping.ts'))
})
