import { afterEach, expect, test, vi } from 'vitest'
import type { DecisionView } from '../../runtime/api/index.ts'
import { answerIn, answerLikewise, NotJson } from './answer.ts'

afterEach(() => vi.unstubAllGlobals())

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  return data
}

test('without a verdict there is no answer', () => {
  expect(answerIn(form({ reason: 'Seen' }))).toBeNull()
})

test('an empty reason and an empty output are none', () => {
  expect(answerIn(form({ verdict: 'happened', reason: ' \n', output: ' ' }))).toEqual({ verdict: 'happened' })
  expect(answerIn(form({ verdict: 'approve', reason: ' Seen ' }))).toEqual({ verdict: 'approve', reason: 'Seen' })
})

test('only a write that happened has an output, any JSON', () => {
  expect(answerIn(form({ verdict: 'happened', output: '{"id": 7}' }))).toEqual({ verdict: 'happened', output: { id: 7 } })
  expect(answerIn(form({ verdict: 'happened', output: 'null' }))).toEqual({ verdict: 'happened', output: null })
  expect(answerIn(form({ verdict: 'give_up', output: 'left from before' }))).toEqual({ verdict: 'give_up' })
  expect(() => answerIn(form({ verdict: 'happened', output: '{"id": ' }))).toThrow(NotJson)
})

test('the same answer goes to as many others as the page said, the oldest first', async () => {
  const answered: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    if (method === 'POST') answered.push(path)
    // Newest first, as the API lists them. Two have come since the page was drawn.
    return Response.json(method === 'POST' ? {} : { items: ['new-2', 'new-1', 'third', 'own', 'second'].map((id) => ({ id })), next_cursor: null })
  })
  const shown = { id: 'own', organization_code: 'ACME', quota: { skill: 'mfa.suspend_user', waiting: 3 } } as DecisionView
  const progress: number[] = []
  const result = await answerLikewise(shown, { verdict: 'approve' }, (done, all) => progress.push(done / all))
  expect(answered).toEqual(['/platformapi/decisions/second', '/platformapi/decisions/third'])
  expect(result).toEqual({ answered: 2, refused: new Map(), lost: false, left: 0 })
  expect(progress).toEqual([0.5, 1])
})

test('a lost reply ends the answers to others, and what was answered before is told', async () => {
  const shown = { id: 'own', organization_code: 'ACME', quota: { skill: 'mfa.suspend_user', waiting: 6 } } as DecisionView
  const items = ['five', 'four', 'lost', 'refused', 'first', 'own'].map((id) => ({ id }))
  const sent: string[] = []
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    if (method !== 'POST') return Response.json({ items, next_cursor: null })
    sent.push(path.replace('/platformapi/decisions/', ''))
    if (path.includes('lost')) throw new TypeError('Failed to fetch')
    return path.includes('refused') ? problem('decision_closed', 409) : Response.json({})
  })
  const result = await answerLikewise(shown, { verdict: 'approve' }, () => {})
  expect(sent).toEqual(['first', 'refused', 'lost'])
  expect(result).toEqual({ answered: 1, refused: new Map([['decision_closed', 1]]), lost: true, left: 2 })
})

test('others that cannot be listed are not answered, and the answer itself counts', async () => {
  vi.stubGlobal('fetch', async () => problem('store_unavailable', 503))
  const shown = { id: 'own', organization_code: 'ACME', quota: { skill: 'mfa.suspend_user', waiting: 6 } } as DecisionView
  expect(await answerLikewise(shown, { verdict: 'approve' }, () => {})).toMatchObject({ answered: 0, lost: false, left: null })
})

function problem(code: string, status: number): Response {
  return Response.json({ code, status, detail: '', remedy: '' }, { status })
}
