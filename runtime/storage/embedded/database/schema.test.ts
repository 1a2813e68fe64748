import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { ManualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { baselineVersion } from '../../schema-version.ts'
import { openEmbeddedStore } from '../index.ts'
import { migrate } from './schema.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-schema-'))
  folders.push(folder)
  return folder
}

const versionOf = (database: DatabaseSync): unknown => database.prepare('PRAGMA user_version').get()?.['user_version']
const tablesOf = (database: DatabaseSync): unknown[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)

test('a new store gets the baseline and all migrations, and the next start does not change it', () => {
  const database = new DatabaseSync(':memory:')
  migrate(database)
  expect(versionOf(database)).toBe(baselineVersion + 13)
  expect(tablesOf(database)).toEqual(expect.arrayContaining(['agents', 'alerts', 'cases', 'identity', 'journal', 'runs']))
  const before = database.serialize()
  migrate(database)
  expect(Buffer.from(database.serialize()).equals(before)).toBe(true)
})

test('an alert and a case of a segment may change again and again, and a case may have a tag twice', () => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  migrate(database)
  const run = (sql: string, ...values: (string | number)[]): void => void database.prepare(sql).run(...values)
  run('INSERT INTO alert_states (id, status, retry_count, modified_at) VALUES (1, 0, 0, 0)')
  for (const status of [5, 10, 15]) run('UPDATE OR FAIL alert_states SET status = ? WHERE id = 1', status)
  expect(database.prepare('SELECT id FROM alert_moves').all()).toEqual([{ id: 1 }])
  const desk = (...tags: readonly string[]): string => JSON.stringify({ tags })
  run(
    `INSERT OR FAIL INTO cases (uuid, organization, number, case_id, alerts, title, severity, status, disposition, created_at, modified_at, desk)
     VALUES ('c', 'o', 1, 'O-1', '[]', 't', 'low', 'new', 'pending', 0, 0, ?)`,
    desk('old', 'old', 'kept'),
  )
  run("UPDATE OR FAIL cases SET desk = ? WHERE uuid = 'c'", desk('kept', 'new', 'new'))
  expect(database.prepare('SELECT tag FROM case_tags ORDER BY tag').all()).toEqual([{ tag: 'kept' }, { tag: 'new' }])
  run('UPDATE case_index SET noted_at = 10')
  for (const title of ['one', 'two', 'three']) run("UPDATE OR FAIL cases SET title = ? WHERE uuid = 'c'", title)
  expect(database.prepare('SELECT id, uuid FROM case_moves').all()).toEqual([{ id: 3, uuid: 'c' }])
})

test('only the migrations that a store has not had are run, in order', () => {
  const database = new DatabaseSync(':memory:')
  const steps = ['CREATE TABLE a (n)', 'INSERT INTO a VALUES (2); CREATE TABLE b (n)', 'INSERT INTO a VALUES (3); DROP TABLE b']
  migrate(database, steps.slice(0, 2))
  expect([versionOf(database), tablesOf(database)]).toEqual([baselineVersion + 1, ['a', 'b']])
  migrate(database, steps)
  expect([versionOf(database), tablesOf(database)]).toEqual([baselineVersion + 2, ['a']])
  migrate(database, steps)
  expect(database.prepare('SELECT n FROM a').all()).toEqual([{ n: 2 }, { n: 3 }])
})

test('a failed migration leaves the version before it and is run again at the next start', () => {
  const file = join(newFolder(), 'tocsin.db')
  const first = new DatabaseSync(file)
  expect(() => migrate(first, ['CREATE TABLE a (n)', 'CREATE TABLE b (n); INSERT INTO nowhere VALUES (1)'])).toThrow('nowhere')
  first.close()
  const second = new DatabaseSync(file)
  expect([versionOf(second), tablesOf(second)]).toEqual([baselineVersion, ['a']])
  migrate(second, ['CREATE TABLE a (n)', 'CREATE TABLE b (n)'])
  expect([versionOf(second), tablesOf(second)]).toEqual([baselineVersion + 1, ['a', 'b']])
  second.close()
})

test.each([
  ['a newer Tocsin', baselineVersion + 99, 'store_newer', `schema version ${baselineVersion + 99}`, 'restore a backup from before'],
  ['the first development version', 1, 'store_unknown', 'schema version 1, which was never released', 'an empty data folder'],
  ['the last development version', 14, 'store_unknown', 'schema version 14, which was never released', 'an empty data folder'],
  ['another program', 0, 'store_unknown', 'another program made it', 'an empty data folder'],
])('a store that %s wrote is refused and not changed, and the error says what to do', async (_who, version, code, says, remedy) => {
  const directory = newFolder()
  const file = join(directory, 'tocsin.db')
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE theirs (n); INSERT INTO theirs VALUES (1); PRAGMA user_version = ${version}`)
  database.close()
  const before = readFileSync(file)
  await expect(openEmbeddedStore({ directory, clock: new ManualClock() })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
    remedy: expect.stringContaining(remedy),
  })
  expect(readFileSync(file).equals(before)).toBe(true)
})
