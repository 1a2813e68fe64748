import { expect, test } from 'vitest'
import type { DecisionView } from '../../runtime/api/index.ts'
import { alikeGroups, areAlike, mostTogether } from './alike.ts'

function decision(id: string, parts: Partial<DecisionView> = {}, skills: readonly string[] = ['mfa.suspend']): DecisionView {
  return { id, kind: 'approval', may_answer: true, cannot_approve: null, actions: skills.map((skill) => ({ skill })), ...parts } as DecisionView
}

test('decisions of one kind about the same skills are alike', () => {
  const all = [
    decision('a'),
    decision('b', {}, ['edr.isolate']),
    decision('c'),
    decision('d', { kind: 'quota' }),
    decision('e', {}, ['edr.isolate', 'mfa.suspend']),
    decision('f', {}, ['mfa.suspend', 'edr.isolate', 'mfa.suspend']),
  ]
  expect(alikeGroups(all).map(({ together }) => together.map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['e', 'f'],
  ])
})

test('a decision that the key may not answer, or a write in doubt, is answered alone', () => {
  expect(alikeGroups([decision('a'), decision('b', { may_answer: false })])).toEqual([])
  expect(alikeGroups([decision('a', { kind: 'in_doubt' }), decision('b', { kind: 'in_doubt' })])).toEqual([])
})

test('decisions that the key may only decline are answered apart from others', () => {
  const related = { cannot_approve: 'one_person' } as const
  const all = [decision('a'), decision('b', related), decision('c'), decision('d', related)]
  expect(alikeGroups(all).map(({ together }) => together.map(({ id }) => id))).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ])
  expect(areAlike(all)).toBe(false)
})

test('a choice of decisions is answered together only if all are alike, and not too many', () => {
  expect(areAlike([])).toBe(false)
  expect(areAlike([decision('a'), decision('b')])).toBe(true)
  expect(areAlike([decision('a'), decision('b', {}, ['edr.isolate'])])).toBe(false)
  expect(areAlike([decision('a'), decision('b', { may_answer: false })])).toBe(false)
  expect(areAlike(Array.from({ length: mostTogether + 1 }, (_, at) => decision(`${at}`)))).toBe(false)
})

test('of very many that are alike, only some are answered at once, and all are counted', () => {
  const [group] = alikeGroups(Array.from({ length: mostTogether + 7 }, (_, at) => decision(`${at}`)))
  expect([group?.together.length, group?.count]).toEqual([mostTogether, mostTogether + 7])
})
