import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { filesOf, type StoreFiles } from '../../../runtime/storage/embedded/files/names.ts'

/** The files of a store, and those of an older copy of its folder. */
export interface Place extends StoreFiles {
  readonly backup: StoreFiles
}

export function placeOf(directory: string): Place {
  return { ...filesOf(directory), backup: filesOf(`${directory}.backup`) }
}

type Act = (place: Place) => unknown

/** Something that somebody may do to the files. */
export interface Hurt {
  readonly name: string
  hurt(place: Place): void
  /** The parts of the hurt between which a process may notice it. Usually one. */
  readonly parts: readonly Act[]
}

function overwrite(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0x5a), 0, bytes, at)
  closeSync(file)
}

const page = 4_096
const half = (path: string): void => truncateSync(path, statSync(path).size >> 1)

const moveFolder: Act = ({ directory }) => renameSync(directory, `${directory}.moved`)

/**
 * Removes the files, then the folder. The process may notice in between, and begin its rescued copy in the
 * folder: that is for the process to handle, so the folder is moved away then.
 */
const removeFolder: Act = (place) => {
  for (const name of readdirSync(place.directory)) rmSync(join(place.directory, name), { recursive: true, force: true })
  try {
    rmdirSync(place.directory)
  } catch {
    moveFolder(place)
  }
}

/** Everything that the tests do to files, by name. */
const all = {
  'nothing at all': () => {},
  'the database is removed': ({ database }) => rmSync(database),
  'the database is renamed': ({ database }) => renameSync(database, `${database}.old`),
  'database, log and index are removed': [
    ({ database }) => rmSync(database),
    ({ log, index }) => [log, index].map((path) => rmSync(path, { force: true })),
  ],
  'the folder is removed': removeFolder,
  'the folder is renamed': ({ directory }) => renameSync(directory, `${directory}.moved`),
  'an empty folder takes its place': [moveFolder, ({ directory }) => mkdirSync(directory)],
  'a link to another folder takes its place': [
    moveFolder,
    ({ directory }) => {
      mkdirSync(`${directory}.other`)
      symlinkSync(`${directory}.other`, directory)
    },
  ],
  'a link to itself takes its place': [moveFolder, ({ directory }) => symlinkSync(`${directory}.moved`, directory)],
  'a copy of the folder takes its place': [
    (place) => {
      cpSync(place.directory, `${place.directory}.copy`, { recursive: true, preserveTimestamps: true })
      moveFolder(place)
    },
    ({ directory }) => renameSync(`${directory}.copy`, directory),
  ],
  'a backup of the folder takes its place': [
    removeFolder,
    ({ directory, backup }) => cpSync(backup.directory, directory, { recursive: true, preserveTimestamps: true }),
  ],
  'a copy of the database takes its place': ({ database }) => {
    copyFileSync(database, `${database}.copy`)
    renameSync(`${database}.copy`, database)
  },
  'an empty file takes the place of the database': ({ database }) => {
    writeFileSync(`${database}.empty`, '')
    renameSync(`${database}.empty`, database)
  },
  'a text takes the place of the database': ({ database }) => {
    writeFileSync(`${database}.text`, 'hello')
    renameSync(`${database}.text`, database)
  },
  'a folder takes the place of the database': [({ database }) => rmSync(database), ({ database }) => mkdirSync(database)],
  'a link takes the place of the database': [
    ({ database }) => renameSync(database, `${database}.behind`),
    ({ database }) => symlinkSync(`${database}.behind`, database),
  ],
  'database and log are moved, and a link leads there': [
    ({ directory, database }) => {
      mkdirSync(`${directory}.other`)
      renameSync(database, join(`${directory}.other`, basename(database)))
    },
    ({ directory, database, log }) => {
      renameSync(log, join(`${directory}.other`, basename(log)))
      symlinkSync(join(`${directory}.other`, basename(database)), database)
    },
  ],
  'a link to a backup takes the place of the database': ({ database, backup }) => {
    symlinkSync(backup.database, `${database}.link`)
    renameSync(`${database}.link`, database)
  },
  'a link to nothing takes the place of the database': ({ database }) => {
    symlinkSync(`${database}.nothing`, `${database}.link`)
    renameSync(`${database}.link`, database)
  },
  'a link to the same path takes the place of the database': ({ database }) => {
    symlinkSync(database, `${database}.link`)
    renameSync(`${database}.link`, database)
  },
  'a backup is copied over the database': ({ database, backup }) => copyFileSync(backup.database, database),
  'a backup is copied over database and log': [
    ({ database, backup }) => copyFileSync(backup.database, database),
    ({ log, backup }) => copyFileSync(backup.log, log),
  ],
  'a backup is copied over the database, and the log is removed': [
    ({ database, backup }) => copyFileSync(backup.database, database),
    ({ log }) => rmSync(log),
  ],
  'a backup is copied over everything': ({ directory, backup }) => cpSync(backup.directory, directory, { recursive: true }),
  'the database is cut to nothing': ({ database }) => truncateSync(database, 0),
  'the database is cut in half': ({ database }) => half(database),
  'a page of the database is overwritten': ({ database }) => overwrite(database, 5 * page, page),
  'the header of the database is overwritten': ({ database }) => overwrite(database, 0, 100),
  'the database is touched': ({ database }) => utimesSync(database, 1, 1),
  'the log is removed': ({ log }) => rmSync(log, { force: true }),
  'the log is renamed': ({ log }) => renameSync(log, `${log}.old`),
  'the log is cut to nothing': ({ log }) => existsSync(log) && truncateSync(log, 0),
  'the log is cut in half': ({ log }) => half(log),
  'the header of the log is overwritten': ({ log }) => overwrite(log, 0, 32),
  'the middle of the log is overwritten': ({ log }) => overwrite(log, 32 + 3 * (page + 24), 9_000),
  'a backup is copied over the log': ({ log, backup }) => copyFileSync(backup.log, log),
  'a backup takes the place of the log': ({ log, backup }) => renameSync(backup.log, log),
  'the index of the log is removed': ({ index }) => rmSync(index, { force: true }),
  'the index of the log is overwritten': ({ index }) => overwrite(index, 0, 136),
  'the lock is removed': ({ lock }) => rmSync(lock),
  'the mark is removed': ({ mark }) => rmSync(mark),
  'the mark is overwritten': ({ mark }) => writeFileSync(mark, 'x'.repeat(3_000)),
  'a backup is copied over the mark': ({ mark, backup }) => copyFileSync(backup.mark, mark),
  'nobody may read the folder': ({ directory }) => chmodSync(directory, 0),
} as const satisfies Record<string, Act | readonly Act[]>

export type HurtName = keyof typeof all

export function hurtsOf(names: readonly HurtName[]): readonly Hurt[] {
  return names.map((name) => {
    const parts = [all[name]].flat()
    return { name, parts, hurt: (place) => parts.forEach((act) => void act(place)) }
  })
}
