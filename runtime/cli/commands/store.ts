import { resolve } from 'node:path'
import type { Command } from 'commander'
import { keptBesideTheStore } from '../../app/index.ts'
import { settings, systemClock, systemIds } from '../../config/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { acceptLoss, backUp, examine } from '../../storage/embedded/index.ts'
import { acceptMongoLoss } from '../../storage/mongodb/index.ts'
import { mustConfirm } from '../confirm.ts'

interface Options {
  readonly data?: string
  readonly yes?: boolean
}

function folderOf({ data }: Options): string {
  const { variable, fallback } = settings.data
  return resolve(data ?? (process.env[variable] || fallback || '.'))
}

/**
 * Returns the folder of a command that cannot work on MongoDB.
 * @throws TocsinError `config_invalid` if the store is in MongoDB, so that nobody takes a copy of an old folder for a backup
 */
function onlyFolderOf(options: Options): string {
  const { variable } = settings.mongodb
  if (!process.env[variable] || options.data !== undefined) return folderOf(options)
  throw new TocsinError('config_invalid', `${variable} is set, so the store is in MongoDB and in no folder.`, [], {
    remedy: 'Use mongodump to back it up: see docs/guides/backup.md. To use a folder all the same, name it with --data.',
  })
}

function check(options: Options): void {
  const folder = onlyFolderOf(options)
  const problems = examine(folder)
  if (problems.length > 0) throw new TocsinError('store_damaged', problems.join(' '))
  console.log(`${folder} is complete: it has all acknowledged data, and its database passes SQLite's check.`)
}

function backup(target: string, options: Options): void {
  const folder = onlyFolderOf(options)
  backUp(folder, resolve(target), keptBesideTheStore, systemClock.now())
  console.log(`${resolve(target)} is a copy of ${folder}. It holds all data and the keys: protect it like the folder itself.`)
}

async function accept(options: Options): Promise<void> {
  const url = process.env[settings.mongodb.variable]
  const thing = url && options.data === undefined ? `the database of ${settings.mongodb.variable}` : folderOf(options)
  const question = `Continue with ${thing} without the missing data? Unfinished runs are cancelled, and everything is paused. [y/N] `
  if (!options.yes) await mustConfirm(question, 'Nothing was changed.', {})
  const loss =
    url && options.data === undefined
      ? await acceptMongoLoss({ url, clock: systemClock, ids: systemIds }, acceptedBy)
      : acceptLoss(folderOf(options), { by: acceptedBy, at: systemClock.now() }, systemIds)
  if (loss === null) return console.log(`Nothing is missing in ${thing}. Nothing was changed.`)
  console.log(`Loss accepted. ${loss.length} runs were cancelled${loss.length === 0 ? '.' : ':'}`)
  for (const run of loss) console.log(`  ${run}`)
  console.log('Everything is paused. Start Tocsin, check the waiting alerts, then run `tocsin resume --all`.')
}

const acceptedBy = 'tocsin store accept-loss'

/** Commands that work on the data folder itself, without a running Tocsin. */
export function storeCommand(program: Command): void {
  const store = program.command('store').description('Back up and check the data folder of the embedded store.')
  const withData = (command: Command): Command =>
    command.option('--data <folder>', `the data folder (${settings.data.variable}, default ${settings.data.fallback})`)
  withData(store.command('backup <folder>').description('Copy the data folder into a new folder. Tocsin may keep running.')).action(backup)
  withData(store.command('check').description('Check that the data folder has all acknowledged data, and that its database is not damaged.')).action(
    check,
  )
  withData(
    store
      .command('accept-loss')
      .description('Accept that acknowledged data is missing from the data folder, or from the database of MONGODB_URL, and make it usable again.'),
  )
    .option('--yes', 'do not ask')
    .action(accept)
}
