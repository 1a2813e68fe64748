import { afterEach, expect, test, vi } from 'vitest'
import { answerSameQuota } from './same-quota.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('answers given before the server was lost are printed', async () => {
  const quota = { skill: 'mfa.suspend_mfa_user', waiting: 3 }
  const decisions = ['a', 'b', 'c'].map((id) => ({ id, title: `Suspend ${id}?`, organization_code: 'ACME', quota }))
  const posted: string[] = []
  vi.stubGlobal('fetch', async (url: string, { method }: { readonly method: string }) => {
    const id = url.slice(url.lastIndexOf('/') + 1)
    if (method === 'GET') return Response.json(id === 'a' ? decisions[0] : { items: decisions, next_cursor: null })
    posted.push(id)
    if (posted.length === 2) throw new TypeError('fetch failed')
    return Response.json({ state: 'declined' })
  })
  const said: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
  await expect(answerSameQuota('a', { verdict: 'decline' }, { url: 'http://tocsin', key: 'k' })).rejects.toMatchObject({ code: 'server_unreachable' })
  expect(posted).toEqual(['a', 'c'])
  expect(said).toEqual(['mfa.suspend_mfa_user: 1 declined'])
})
