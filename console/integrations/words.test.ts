import { expect, test } from 'vitest'
import type { ConnectionAnswer } from '../../runtime/api/index.ts'
import { summaryOf } from './words.ts'

const connection = (parts: Partial<ConnectionAnswer>): ConnectionAnswer =>
  ({ expired: false, expires_soon: false, last_test: { ok: true }, ...parts }) as ConnectionAnswer
const works = connection({})
const fails = connection({ last_test: { ok: false } as ConnectionAnswer['last_test'] })

test.each([
  ['Not connected', []],
  ['1 connection works', [works]],
  ['2 connections work', [works, works]],
  ['1 connection is not tested', [connection({ last_test: null })]],
  ['3 connections: 1 fails, 2 work', [works, fails, works]],
  [
    '3 connections: 2 have expired, 1 expires soon',
    [connection({ expires_soon: true }), connection({ expired: true }), connection({ expired: true })],
  ],
])('%s', (said, connections) => expect(summaryOf(connections)).toBe(said))
