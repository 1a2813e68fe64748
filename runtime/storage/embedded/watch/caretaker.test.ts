import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../database/schema.ts'
import { Sql } from '../database/sql.ts'
import { filesOf, type StoreFiles } from '../files/names.ts'
import { ProgressCounter } from '../files/progress.ts'
import type { FromThread } from '../threads/messages.ts'
import { Caretaker } from './caretaker.ts'
import { FileWatch } from './watch.ts'

let folder: string
let files: StoreFiles
let database: DatabaseSync
let watch: FileWatch
let told: FromThread[]
/** Called while a checkpoint is under way. */
let meanwhile: () => void
/** How many commits were acknowledged that the database lacks. */
let acknowledgedMore: number
let caretaker: Caretaker

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-caretaker-'))
  files = filesOf(folder)
  const held = openSync(files.database, 'a+', 0o600)
  database = new DatabaseSync(files.database)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  migrate(database)
  watch = new FileWatch(files, held, () => database.prepare('SELECT count(*) FROM sqlite_schema').get())
  told = []
  meanwhile = () => {}
  const watched = new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name)
      return (sql: string) => {
        if (sql.includes('wal_checkpoint')) meanwhile()
        return target.prepare(sql)
      }
    },
  })
  acknowledgedMore = 0
  const counter = new Proxy(new ProgressCounter(database, new Sql(database)), {
    get(target, name) {
      const { standing } = target
      return name === 'standing' ? { ...standing, commits: standing.commits + acknowledgedMore } : Reflect.get(target, name)
    },
  })
  caretaker = new Caretaker({ database: watched, files, watch, counter, companions: [], tell: (message) => void told.push(message) }, 0)
})

afterEach(() => {
  caretaker.beforeClose(0)
  database.close()
  watch.close()
  rmSync(folder, { recursive: true })
})

/** Writes enough to make a checkpoint due. */
function commitMuch(): void {
  database.exec('CREATE TABLE IF NOT EXISTS large (bytes); INSERT INTO large VALUES (zeroblob(17000000))')
  caretaker.acknowledge(0)
}

function overwrite(path: string, count: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(count, 0x5a), 0, count, 0)
  closeSync(file)
}

test('a checkpoint copies the log into the database, and commits are still acknowledged', () => {
  commitMuch()
  expect(watch.waitingFrames).toBeGreaterThan(4_000)
  caretaker.look(0)
  expect(watch.waitingFrames).toBe(0)
  expect(() => caretaker.mustBeWell(0)).not.toThrow()
  commitMuch()
  expect(told).toEqual([])
})

test('a log that is overwritten before or during a checkpoint is noticed', () => {
  commitMuch()
  meanwhile = () => overwrite(files.log, 32)
  caretaker.look(0)
  expect(() => caretaker.mustBeWell(0)).toThrow(/tocsin\.db-wal was cut or overwritten .* safe/)
})

test('an index that is overwritten after a commit is rebuilt from the log, and commits are still acknowledged', () => {
  commitMuch()
  const frames = watch.waitingFrames
  overwrite(files.index, 136)
  caretaker.acknowledge(0)
  expect(watch.waitingFrames).toBe(frames)
  overwrite(files.index, 136)
  caretaker.look(0)
  expect(() => caretaker.mustBeWell(0)).not.toThrow()
  expect(watch.waitingFrames).toBe(0)
  expect(told).toEqual([])
})

/** Returns the places of the rescued copies that were announced. */
function copies(): string[] {
  return told.flatMap((one) => (one.kind === 'notice' ? (one.notice.message.match(/ copied to (\S+?)[.,] /)?.[1] ?? []) : []))
}

test('the log is removed, and later the database: what was written into the database is saved again, as a copy', () => {
  commitMuch()
  rmSync(files.log)
  expect(() => caretaker.acknowledge(0)).toThrow(/tocsin\.db-wal was removed/)
  caretaker.look(0)
  expect(() => caretaker.mustBeWell(0)).toThrow(/is safe/)
  expect(copies()).toEqual([])
  rmSync(files.database)
  expect(() => caretaker.mustBeWell(1_000)).toThrow(/tocsin\.db was removed.*until it is put back or Tocsin is started again\.$/)
  caretaker.look(1_000)
  expect(() => caretaker.mustBeWell(1_000)).toThrow(/tocsin\.db was removed.*is safe/)
  expect(copies().map((path) => existsSync(path))).toEqual([true])
})

test('the rescued copy is removed too: another is made', () => {
  commitMuch()
  rmSync(files.database)
  caretaker.look(0)
  const [first = ''] = copies()
  rmSync(first)
  caretaker.look(1_000)
  expect(copies()).toHaveLength(2)
  expect(existsSync(copies()[1] ?? '')).toBe(true)
  expect(() => caretaker.mustBeWell(1_000)).toThrow(/is safe/)
})

test('the database is overwritten and the log removed: the log is not written into a database that has changed', () => {
  commitMuch()
  const size = statSync(files.database).size
  overwrite(files.database, 100)
  rmSync(files.log)
  expect(() => caretaker.acknowledge(0)).toThrow(/tocsin\.db was written to or cut/)
  caretaker.look(0)
  expect(copies()).toHaveLength(1)
  expect(statSync(files.database).size).toBe(size)
})

test('a link takes the place of the database: the next commit is not acknowledged, and the log goes into the database', () => {
  commitMuch()
  renameSync(files.database, `${files.database}.behind`)
  symlinkSync(`${files.database}.behind`, files.database)
  expect(() => caretaker.acknowledge(0)).toThrow(/replaced by a symbolic link/)
  caretaker.look(0)
  expect(() => caretaker.mustBeWell(0)).toThrow(/is safe/)
  expect(watch.waitingFrames).toBe(0)
  expect(copies()).toEqual([])
})

test('a rescued copy that lacks something is not called safe', () => {
  commitMuch()
  acknowledgedMore = 1
  rmSync(files.database)
  caretaker.look(0)
  expect(() => caretaker.mustBeWell(0)).toThrow(/Not all of what was acknowledged could be saved/)
  expect(copies()).toEqual([expect.stringMatching(/incomplete$/)])
})

test('an older index is noticed before SQLite reads it, and its header comes back before the data is saved', () => {
  const change = (): void => database.exec("BEGIN IMMEDIATE; UPDATE counters SET value = value + 1 WHERE key = '#commits'; COMMIT")
  change()
  const older = readFileSync(files.index)
  change()
  caretaker.acknowledge(0)
  const latest = readFileSync(files.index)
  expect(caretaker.isWell).toBe(true)
  putBack(files.index, older)
  expect(caretaker.isWell).toBe(false)
  expect(() => caretaker.mustBeWell(0)).toThrow(/tocsin.db-shm was replaced by an older one/)
  caretaker.look(0)
  expect(readFileSync(files.index).subarray(0, 96)).toEqual(latest.subarray(0, 96))
  expect(() => caretaker.mustBeWell(0)).toThrow(/What was acknowledged is safe/)
})

test('an index that SQLite has rebuilt is no older one', () => {
  database.exec("UPDATE counters SET value = value + 1 WHERE key = '#commits'")
  caretaker.acknowledge(0)
  putBack(files.index, Buffer.alloc(136, 0x5a))
  expect(() => caretaker.mustBeWell(0)).not.toThrow()
  database.exec("UPDATE counters SET value = value + 1 WHERE key = '#commits'")
  caretaker.acknowledge(0)
  expect(caretaker.isWell).toBe(true)
})

test('a transaction that does not see the last commit does not count itself', () => {
  const sql = new Sql(database)
  const counter = new ProgressCounter(database, sql)
  database.exec('BEGIN IMMEDIATE')
  database.exec("UPDATE counters SET value = value - 1 WHERE key = '#commits'")
  expect(counter.count()).toBe('behind')
  database.exec('ROLLBACK; BEGIN IMMEDIATE')
  database.exec("UPDATE counters SET value = value WHERE key = '#numbers'")
  expect(counter.count()).toMatchObject({ commits: counter.standing.commits + 1 })
  database.exec('ROLLBACK')
})

function putBack(path: string, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, 0)
  closeSync(file)
}
