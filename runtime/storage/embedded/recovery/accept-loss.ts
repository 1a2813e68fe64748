import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { asId, type Ids, type Millis, type PauseId, type RunId, systemScope } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { checkWhole, migrate, Sql } from '../database/index.ts'
import {
  filesOf,
  MarkFile,
  problemIn,
  raiseNumbers,
  readMark,
  readProgress,
  readStore,
  type StoreFiles,
  setCommits,
  takeOwnership,
} from '../files/index.ts'
import { runCanceller } from '../runs/run-cancel.ts'
import { numbersAfterCopy, openOwned } from '../threads/index.ts'
import { mustBeDataFolder } from './back-up.ts'
import { pauseEverything } from './pause-everything.ts'

interface Acceptance {
  readonly by: string
  readonly at: Millis
}

/**
 * Makes a store that lacks acknowledged data usable again. New numbers start above the lost ones. Unfinished
 * runs are cancelled and everything is paused: the lost data may have recorded what runs did, so a person has
 * to look before anything is repeated.
 * @returns the cancelled runs; null if nothing was missing, and so nothing was changed
 * @throws TocsinError `store_incomplete`, `store_locked`, `store_damaged`, `folder_unusable`, `disk_full`
 */
export function acceptLoss(directory: string, acceptance: Acceptance, ids: Ids): readonly RunId[] | null {
  mustBeDataFolder(directory)
  const files = filesOf(directory)
  if (!existsSync(files.mark)) throw new TocsinError('store_incomplete', `${directory} has no tocsin.mark, so Tocsin cannot tell what is missing.`)
  const ownership = takeOwnership(files.lock)
  try {
    const problem = problemIn(files)
    if (problem === null) return null
    if (readStore(files.database, files.log).kind === 'damaged') throw new TocsinError('store_damaged', problem)
    return adopt(files, problem, acceptance, ids)
  } finally {
    ownership.release()
  }
}

function adopt(files: StoreFiles, problem: string, acceptance: Acceptance, ids: Ids): readonly RunId[] {
  const found = readMark(files.mark)
  // If there is no database, create it with access for the owner only.
  closeSync(openSync(files.database, 'a', 0o600))
  const database = openOwned(files)
  try {
    const damage = checkWhole(database)
    if (damage.length > 0) throw new TocsinError('store_damaged', `${files.database}: ${damage.join('; ')}`)
    migrate(database)
    const progress = readProgress(database)
    const lost = found.kind === 'mark' && found.mark.store === progress.store ? found.mark : null
    raiseNumbers(database, lost ? Math.max(lost.numbers - progress.numbers, 0) : numbersAfterCopy)
    if (lost) setCommits(database, lost.commits)
    const cancelled = stopEverything(database, problem, acceptance, ids)
    const mark = new MarkFile(files.mark)
    mark.write({ ...readProgress(database), at: acceptance.at, database: null, trouble: null })
    mark.settle()
    mark.close()
    return cancelled
  } finally {
    database.close()
  }
}

function stopEverything(database: DatabaseSync, problem: string, acceptance: Acceptance, ids: Ids): readonly RunId[] {
  const sql = new Sql(database)
  const running = sql.all("SELECT id FROM runs WHERE state IN ('running', 'waiting')").map(({ id }) => asId<RunId>(String(id)))
  database.exec('BEGIN IMMEDIATE')
  const reason = `Part of the store was lost. Alerts that wait may have been investigated before: look at them, then resume. ${problem}`
  const pause = pauseEverything(sql, { ...acceptance, reason, id: asId<PauseId>(ids.uuid()) })
  for (const run of running)
    runCanceller(sql).cancel(systemScope, run, {
      ...pause.paused,
      reason: 'Part of the store was lost: the journal of this run may lack what it did.',
    })
  database.exec('COMMIT')
  return running
}
