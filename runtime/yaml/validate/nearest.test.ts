import { expect, it } from 'vitest'
import { digestOf, hint, nearest } from '../index.ts'

it.each([
  ['skil', 'skill'],
  ['sklil', 'skill'],
  ['get_mailsec_isue', 'get_mailsec_issue'],
  ['Skill', 'skill'],
  ['skill_name', 'skill'],
  ['user', 'username'],
])('takes %s for %s', (written, meant) => {
  expect(nearest(written, ['case', 'skill', 'username', 'steps', 'get_mailsec_issue', 'get_mailsec_issues'])).toBe(meant)
})

it('finds no candidate if none is near', () => {
  expect(nearest('parallel', ['skill', 'set', 'stop'])).toBeUndefined()
  expect(hint('parallel', ['skill'])).toBe('')
})

it('names an artifact by the SHA-256 of its bytes', () => {
  expect(digestOf('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
