import { expect, test } from 'vitest'
import { wantedActions } from './remediation.ts'

test.each<[string, Parameters<typeof wantedActions>, ReturnType<typeof wantedActions>]>([
  ['nothing was asked for', [undefined, undefined, ['a']], { kind: 'untouched' }],
  ['the list is replaced', [['b'], 'replace', ['a']], { kind: 'set', actions: ['b'] }],
  ['the list is emptied', [[], 'replace', ['a']], { kind: 'set', actions: [] }],
  ['the list is added to', [['b', 'c'], 'merge', ['a', 'b']], { kind: 'set', actions: ['a', 'b', 'c'] }],
  ['all stands already', [['b'], 'merge', ['a', 'b']], { kind: 'standing' }],
  ['nothing is added', [[], 'merge', ['a']], { kind: 'standing' }],
  ['there was no list', [['b'], 'merge', []], { kind: 'set', actions: ['b'] }],
  ['the list is not shown', [['b'], 'merge', undefined], { kind: 'not_known' }],
  ['the list is something else', [['b'], 'merge', [{ action: 'a' }]], { kind: 'not_known' }],
])('%s', (_, given, wanted) => {
  expect(wantedActions(...given)).toEqual(wanted)
})
