import { expect, onTestFinished, test, vi } from 'vitest'
import { tocsin } from '../../../test/support/processes/in-process.ts'

test('a list of keys says for which organizations each is', async () => {
  const key = { id: 'k', name: 'n', scopes: ['alerts:read'], created_at: 0, revoked_at: null }
  const reaches = ['all', ['ACME', 'LUMEN'], ['A', 'B', 'C', 'D', 'E', 'F', 'G']]
  const items = reaches.map((organizations) => ({ ...key, organizations }))
  vi.stubGlobal('fetch', async () => Response.json({ items, next_cursor: null }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { out } = await tocsin(['key', 'list'], { TOCSIN_URL: 'http://h:1', TOCSIN_API_KEY: 'k' })
  expect(out).toMatch(/ORGANIZATIONS +SCOPES/)
  expect(out).toMatch(/^k +n +\(all\) /m)
  expect(out).toMatch(/^k +n +ACME,LUMEN +alerts:read/m)
  expect(out).toMatch(/^k +n +A,B,C,D,E and 2 more /m)
})
