import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { FloorAlert } from '../../bench/floor/alert.ts'
import { run } from '../../bench/floor/run.ts'
import { openSqliteFile } from '../../bench/floor/sqlite-file.ts'
import { SqliteRecord } from '../../bench/floor/sqlite-record.ts'
import { startChild } from '../../bench/table/child.ts'
import { timed } from '../../bench/table/drive.ts'
import { startFloor } from '../../bench/table/floor.ts'
import type { SystemAddress } from '../../bench/table/subject.ts'

const folder = mkdtempSync(join(tmpdir(), 'tocsin-floor-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Reads with a connection of its own: only what is committed. */
function rowsIn(path: string, sql: string): readonly (readonly unknown[])[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row))
  } finally {
    database.close()
  }
}

function alertOf(id: string, act: boolean): FloorAlert {
  return { id, type: 'bench_run', title: `Title ${id}`, content: JSON.stringify({ item: `item-${id}`, act }) }
}

const states = 'SELECT a.number, a.id, s.status FROM alerts a JOIN states s USING (number) ORDER BY a.number'

test('floor 3 acknowledges and writes to the system only after the disk has what comes before', async () => {
  const path = join(folder, 'order.db')
  const happened: string[] = []
  const record = new SqliteRecord(
    openSqliteFile(path, async () => {
      happened.push('committed')
      await new Promise(setImmediate)
      happened.push('flushed')
    }),
  )
  const alert = alertOf('a', true)
  const added = record.add(alert).then(() => happened.push('acknowledged'))
  await run(alert, record, {
    enrich: async (id) => ({ id }),
    async act(id) {
      happened.push('sent')
      expect(rowsIn(path, states)).toEqual([[1, 'a', 'running']])
      expect(rowsIn(path, 'SELECT entries FROM journal')).toEqual([
        [
          JSON.stringify([
            { kind: 'read', value: { id } },
            { kind: 'intent', value: { item: id } },
          ]),
        ],
      ])
      return { id }
    },
  })
  await added
  expect(happened).toEqual(['committed', 'flushed', 'acknowledged', 'sent', 'committed', 'flushed'])
  expect(rowsIn(path, states)).toEqual([[1, 'a', 'done']])
  expect(rowsIn(path, 'SELECT position, entries FROM journal WHERE position > 0')).toEqual([
    [1, JSON.stringify([{ kind: 'outcome', value: { id: 'item-a' } }])],
  ])
  expect(rowsIn(path, 'SELECT * FROM cases')).toEqual([[1, 'Title a', 'low']])
  await record.close()
})

test('floor 3 gives an alert to one run, and goes on with the numbers', async () => {
  const path = join(folder, 'claims.db')
  const before = new SqliteRecord(openSqliteFile(path))
  await before.add(alertOf('a', false))
  expect([await before.claim(alertOf('a', false)), await before.claim(alertOf('a', false))]).toEqual([true, false])
  await before.end(alertOf('a', false))
  await before.close()
  const after = new SqliteRecord(openSqliteFile(path))
  await after.add(alertOf('b', false))
  await after.close()
  expect(rowsIn(path, states)).toEqual([
    [1, 'a', 'done'],
    [2, 'b', 'created'],
  ])
})

test('floor 3 refuses a claim that the file has already', async () => {
  const path = join(folder, 'refused.db')
  const file = openSqliteFile(path)
  const claimed = { number: 1, added: null, claimed: true, entries: [], position: 0, ended: null }
  await file.commit([{ ...claimed, added: alertOf('a', false) }])
  await expect(file.commit([claimed])).rejects.toThrow('claimed before')
  file.close()
})

test('floor 3 runs the load of the benchmark', async () => {
  const system = await startChild<SystemAddress>(fileURLToPath(new URL('../../bench/system.ts', import.meta.url)), [join(folder, 'pki')])
  try {
    const floor = await startFloor(3, { system: system.told, folder })
    try {
      await timed(floor.load, 'bench_run', 10, (index) => ({ item: `item-${index}`, act: index % 2 === 0 }))
      await timed(floor.load, 'bench_reads', 1, () => ({ items: [0, 1, 2] }))
    } finally {
      await floor.stop()
    }
  } finally {
    await system.stop()
  }
  const path = join(folder, 'floor.db')
  expect(rowsIn(path, 'SELECT type, status, count(*) FROM alerts JOIN states USING (number) GROUP BY 1, 2')).toEqual([
    ['bench_reads', 'done', 2],
    ['bench_run', 'done', 11],
  ])
  expect(rowsIn(path, "SELECT e.value ->> 'kind', count(*) FROM journal j, json_each(j.entries) e GROUP BY 1")).toEqual([
    ['intent', 5],
    ['outcome', 5],
    ['read', 11],
    ['step', 6],
  ])
})
