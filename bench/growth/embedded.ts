import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Sealing, segmentTable } from '../../runtime/storage/embedded/alerts/index.ts'
import { CaseSealing, CaseSegments, caseIndex } from '../../runtime/storage/embedded/cases/index.ts'
import { type Row, Sql } from '../../runtime/storage/embedded/database/index.ts'
import { type Copy, copiesOf, type Kind, namesOf, type Original, type Plan } from './copies.ts'
import { Template } from './template.ts'

/** Where the rows of an alert are, and which columns a copy does not take from its original. Null: the database numbers them. */
const tables = [
  { name: 'alerts', where: 'uuid = :alert', own: { id: 'row', sequence: 'alertNumber' } },
  { name: 'alert_states', where: 'id = (SELECT id FROM alerts WHERE uuid = :alert)', own: { id: 'row' } },
  { name: 'alert_tail', where: 'uuid = :alert', own: { id: 'row' } },
  { name: 'runs', where: 'alert = :alert', own: {} },
  { name: 'journal', where: 'run IN (SELECT id FROM runs WHERE alert = :alert)', own: {} },
  { name: 'outputs', where: 'run IN (SELECT id FROM runs WHERE alert = :alert)', own: {} },
  { name: 'decisions', where: 'run IN (SELECT id FROM runs WHERE alert = :alert)', own: {} },
  { name: 'cases', where: 'uuid = (SELECT case_uuid FROM runs WHERE alert = :alert)', own: { number: 'caseNumber' } },
  { name: 'timeline', where: 'case_uuid = (SELECT case_uuid FROM runs WHERE alert = :alert) ORDER BY id', own: { id: null } },
] as const satisfies readonly { readonly name: string; readonly where: string; readonly own: Readonly<Record<string, keyof Own | null>> }[]

interface Own {
  readonly row: number
  readonly alertNumber: number
  readonly caseNumber: number
}

/** A row to copy. `values` is one JSON text, so that one replacement finds a name or a time in any column. */
interface Copied {
  readonly insert: StatementSync
  readonly own: readonly (keyof Own | null)[]
  readonly others: Template
  readonly journal: boolean
}

function copiedRows(database: DatabaseSync, original: Original): readonly Copied[] {
  return tables.flatMap(({ name, where, own }) => {
    const rows = database.prepare(`SELECT * FROM ${name} WHERE ${where}`).all({ alert: original.alertUuid })
    // The list of columns leaves out those that the database makes from others.
    const stored = database
      .prepare('SELECT name FROM pragma_table_info(?)')
      .all(name)
      .map((column) => String(column['name']))
    return rows.map((row): Copied => {
      const [ownColumns, others] = [Object.keys(own), stored.filter((column) => !(column in own))]
      const columns = [...ownColumns, ...others]
      const insert = database.prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
      const text = JSON.stringify(others.map((column) => row[column]))
      return { insert, own: Object.values(own), others: new Template(text, namesOf(original)), journal: name === 'journal' }
    })
  })
}

/** The number of copies that one transaction inserts. */
const copiesAtOnce = 1_000

/** What was written. */
export interface Filled {
  readonly alerts: number
  readonly journalEntries: number
}

/**
 * Fills the store of a Tocsin that does not run. Copies the rows of investigated alerts straight into the store's tables, under other names and times. Builds the indexes
 * of words with the store's own code.
 * @param directory its data folder
 * @param plan without the numbers, which the store knows
 * @param tell receives the number of alerts that are done
 */
export function fillEmbedded(
  directory: string,
  originals: readonly Original[],
  plan: Omit<Plan, 'lastAlert' | 'lastCase'>,
  tell: (alerts: number) => void,
): Filled {
  const database = new DatabaseSync(join(directory, 'tocsin.db'))
  try {
    database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000')
    const sql = new Sql(database)
    const counter = (name: string): number => Number(sql.get('SELECT value FROM counters WHERE key = ?', name)?.['value'])
    const [lastAlert, lastCase] = [counter('alert BENCH-BENCH'), counter('case BENCH')]
    const lastRow = Number((sql.get('SELECT max(id) AS last FROM alerts') as Row)['last'])
    const rows = new Map<Kind, readonly Copied[]>(originals.map((original) => [original.kind, copiedRows(database, original)]))
    const within = (work: () => void): true => {
      database.exec('BEGIN IMMEDIATE')
      work()
      database.exec('COMMIT')
      return true
    }
    const segments = segmentTable(sql)
    const sealing = new Sealing(sql, {
      add: (segment) => within(() => segments.add(segment)),
      addStates: (states) => within(() => segments.addStates(states)),
    })
    const index = caseIndex(sql)
    const caseSealing = new CaseSealing(sql, new CaseSegments(sql), {
      note: (upTo) => within(() => index.note(upTo)),
      add: (sealed) => within(() => index.add(sealed)),
    })
    let journalEntries = 0
    const write = ({ kind, names, later, alertNumber, caseNumber }: Copy): void => {
      const own: Own = { row: lastRow + alertNumber - lastAlert, alertNumber, caseNumber }
      for (const { insert, own: columns, others, journal } of rows.get(kind) ?? []) {
        const values = JSON.parse(others.copy(names, later)) as SQLInputValue[]
        insert.run(...columns.map((column) => (column === null ? null : own[column])), ...values)
        if (journal) journalEntries += 1
      }
    }
    let done = 0
    const copies = copiesOf(originals, { ...plan, lastAlert, lastCase })
    while (done < plan.alerts) {
      const end = Math.min(done + copiesAtOnce, plan.alerts)
      within(() => {
        for (; done < end; done += 1) write(copies.next().value as Copy)
        sql.run(`UPDATE counters SET value = ? WHERE key = 'alert BENCH-BENCH'`, lastAlert + done)
        sql.run(`UPDATE counters SET value = ? WHERE key = 'case BENCH'`, lastCase + done)
      })
      while (sealing.step() || caseSealing.step());
      tell(done)
    }
    return { alerts: done, journalEntries }
  } finally {
    database.close()
  }
}
