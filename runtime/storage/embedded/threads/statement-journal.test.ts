import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { systemScope } from '../../../domain/index.ts'
import { migrate, Sql } from '../database/index.ts'
import type { Call } from './messages.ts'
import { Transactions } from './perform.ts'

/** Enough that some insert of a case splits so many pages that a statement journal would be written to a file. */
const count = 2_000
const each = <T>(of: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => of(n))
const uuidOf = (n: number): string => `01a2160e-0000-7000-8000-${String(n).padStart(12, '0')}`
const runOf = (n: number): string => `${uuidOf(n)}-r1`

const insert: Call = {
  aggregate: 'alerts',
  method: 'insert',
  parameters: [
    systemScope,
    each((n) => ({
      uuid: uuidOf(n),
      organization: 'o',
      organizationCode: 'O',
      provider: 'P',
      numberedAs: 'O-P',
      type: 't',
      content: '{}',
      name: 'n',
      tokens: ['n'],
      createdAt: n,
      createdAtSource: null,
      createdBy: 'ada',
      idempotency: null,
    })),
  ],
}
const submit: Call = { aggregate: 'alerts', method: 'submit', parameters: [systemScope, each(uuidOf), 1] }
const claims = each((n): Call => {
  const pins = { playbook: { name: 'p', digest: 'd' }, playbooks: {}, policy: null, plugins: {}, connections: {} }
  const opening = { uuid: `case-${uuidOf(n)}`, title: 'title', severity: 'low', join: null }
  const claim = { run: runOf(n), alert: uuidOf(n), organization: 'o', type: 't', attempt: 1, session: 's', at: n, pins, opening }
  return { aggregate: 'runs', method: 'claim', parameters: [systemScope, claim] }
})
const ends = each((n): Call => {
  const change = { key: `${n}`, at: n, actor: { principal: 'ada' }, body: { kind: 'status', from: 'new', to: 'open', why: 'run' } }
  const end = {
    run: runOf(n),
    epoch: 1,
    position: 1,
    records: [],
    state: 'completed',
    reason: null,
    failure: null,
    retryAt: null,
    at: n,
    entries: [change],
  }
  return { aggregate: 'runs', method: 'end', parameters: [systemScope, end] }
})

/** How often this thread has written to any file (proc(5)). */
const writes = (): number => Number(/^syscw: (\d+)$/m.exec(readFileSync('/proc/thread-self/io', 'utf8'))?.[1])

test.skipIf(process.platform !== 'linux')('no statement of a run copies the pages that it changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const database = new DatabaseSync(join(folder, 'tocsin.db'))
  onTestFinished(() => database.close())
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536')
  migrate(database)
  const transactions = new Transactions(database, new Sql(database), 'BEGIN IMMEDIATE')
  for (const calls of [[insert], [submit], claims, ends]) {
    const before = writes()
    let during = Number.NaN
    const beforeCommit = (): void => {
      during = writes() - before
    }
    const replies = transactions.perform({ kind: 'batch', now: 1, calls }, { beforeCommit })
    expect(replies.filter((reply) => 'failure' in reply)).toEqual([])
    // The thread itself may write now and then, to wake another one.
    expect(during).toBeLessThan(count / 10)
  }
})
