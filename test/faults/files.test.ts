import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { systemClock, systemIds } from '../../runtime/config/index.ts'
import { acceptLoss, backUp, examine, openEmbeddedStore } from '../../runtime/storage/embedded/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { everyone, insertOne, newAlert, newTenant, type Tenant } from '../conformance/storage/fixtures.ts'
import { until } from '../support/until.ts'
import { type HurtName, hurtsOf, type Place, placeOf } from './files/hurts.ts'
import { more, type Refusal, type StoreProcess, startStore } from './files/store-process.ts'

/** Enough alerts for a checkpoint (the first ones of `host.ts` are large). Then some more for the log after it. */
const [enough, afterBackup] = [80, 50]

interface Stage {
  readonly tenant: Tenant
  readonly place: Place
  readonly process: StoreProcess
}

/**
 * Starts a process that inserts alerts, and copies its folder with `cp` after a while.
 * @param prepare called before the process starts
 */
async function stage(prepare: (place: Place) => void = () => {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-files-'))
  const place = placeOf(join(folder, 'data'))
  const tenant = newTenant()
  prepare(place)
  const process = await startStore(place.directory, tenant)
  onTestFinished(async () => {
    await process.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(join(place.directory, 'vault.key'), 'the key')
  await more(process, enough)
  cpSync(place.directory, place.backup.directory, { recursive: true, preserveTimestamps: true })
  // What it reported during the copy is read before its answer. So the alerts after that are not in the backup.
  await process.ping()
  await more(process, afterBackup)
  return { tenant, place, process }
}

async function open({ place }: Stage, notices: string[] = []): Promise<Store> {
  const report = ({ message }: { readonly message: string }): void => void notices.push(message)
  const store = await openEmbeddedStore({ directory: place.directory, clock: systemClock, report })
  onTestFinished(() => store.close())
  return store
}

/**
 * Waits until the process says that what it acknowledged is safe. If it made a copy, that copy must still be
 * there: if the test has removed it together with the folder, the process makes another.
 */
function safely(process: StoreProcess): Promise<Refusal> {
  return until(async () => {
    const copy = process.notices.flatMap((notice) => notice.match(/ was copied to (\S+)\. /)?.[1] ?? []).at(-1)
    const last = process.refusals.at(-1)
    return last?.message.includes('is safe') && (copy === undefined || existsSync(copy)) && last
  })
}

/** Returns acknowledged alerts that are missing. */
async function lostOf(store: Store, acknowledged: readonly string[]): Promise<string[]> {
  const lost: string[] = []
  for (const id of acknowledged) if (!(await store.alerts.byAlertId(everyone, id))) lost.push(id)
  return lost
}

/** Checks that everything acknowledged is there, and that no number is given twice. */
async function mustBeWhole(store: Store, { tenant, process }: Stage): Promise<void> {
  expect(await lostOf(store, process.acknowledged)).toEqual([])
  expect(process.acknowledged).not.toContain((await insertOne(store, newAlert(tenant))).alertId)
  await store.ping()
}

const saved: readonly HurtName[] = [
  'the database is removed',
  'the database is renamed',
  'database, log and index are removed',
  'the folder is removed',
  'the folder is renamed',
  'an empty folder takes its place',
  'a link to another folder takes its place',
  'a copy of the folder takes its place',
  'a backup of the folder takes its place',
  'a copy of the database takes its place',
  'an empty file takes the place of the database',
  'a text takes the place of the database',
  'a folder takes the place of the database',
  'a link takes the place of the database',
  'database and log are moved, and a link leads there',
  'a link to a backup takes the place of the database',
  'a link to nothing takes the place of the database',
  'a link to the same path takes the place of the database',
  'a backup is copied over the database',
  'a backup is copied over database and log',
  'a backup is copied over the database, and the log is removed',
  'the database is cut to nothing',
  'the database is cut in half',
  'a page of the database is overwritten',
  'the header of the database is overwritten',
  'the database is touched',
  'the log is removed',
  'the log is renamed',
  'the log is cut to nothing',
  'the log is cut in half',
  'the header of the log is overwritten',
  'a backup is copied over the log',
  'a backup takes the place of the log',
  'the index of the log is removed',
]

/** Only the time of the last write to the database shows these. */
const heldFor: readonly string[] = [
  'a page of the database is overwritten',
  'the header of the database is overwritten',
  'the database is touched',
] satisfies readonly HurtName[]

const unharmed: readonly HurtName[] = [
  'nothing at all',
  'the index of the log is overwritten',
  'the lock is removed',
  'the mark is removed',
  'the mark is overwritten',
  'a backup is copied over the mark',
]

describe('while a process has the store open', () => {
  test.for(hurtsOf(saved))('$name: nothing more is acknowledged, and the next process has everything that was', async ({ name, hurt }) => {
    const set = await stage()
    const { place, process } = set
    // A checkpoint writes to the database, too. What happens to the database meanwhile cannot be told from that.
    const held = heldFor.includes(name)
    if (held) await process.hold()
    hurt(place)
    if (held) process.resume()
    await until(async () => process.refusals.length > 0)
    const acknowledged = process.acknowledged.length
    const safe = await safely(process)
    expect(safe).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('while Tocsin was running') })
    expect(safe.message).not.toContain(place.directory)
    expect(await process.ping()).toMatchObject({ code: 'store_unavailable' })
    expect(process.notices.join('\n')).toContain(place.directory)
    await process.kill()
    expect(process.acknowledged.length).toBe(acknowledged)
    await mustBeWhole(await open(set), set)
  })

  // The copy takes a while, and the process may notice in the middle of it. So here it notices at the end. A copy of everything also brings an
  // older index of the log: in the middle of a commit or a read, nobody could save what SQLite then forgets. So that process waits.
  const copied: readonly (readonly [HurtName, 'waits' | 'works'])[] = [
    ['a backup is copied over everything', 'waits'],
    ['a backup is copied over database and log', 'works'],
  ]
  test.for(copied)(
    '%s before it continues, while it %s: nothing more is acknowledged, and the next process has everything that was',
    async ([name, does]) => {
      const set = await stage()
      if (does === 'waits') await set.process.hold()
      set.process.freeze()
      hurtsOf([name])[0]?.hurt(set.place)
      set.process.thaw()
      if (does === 'waits') set.process.resume()
      const safe = await safely(set.process)
      expect(safe).toMatchObject({ code: 'store_unavailable', message: expect.stringContaining('while Tocsin was running') })
      await set.process.kill()
      await mustBeWhole(await open(set), set)
    },
  )

  test('a backup is copied over everything while it works: it says truly whether everything that was acknowledged is safe', async () => {
    const set = await stage()
    hurtsOf(['a backup is copied over everything']).map(({ hurt }) => hurt(set.place))
    const said = await until(async () => set.process.refusals.find(({ message }) => /is safe|Not all/.test(message)))
    await set.process.kill()
    if (said.message.includes('is safe')) await mustBeWhole(await open(set), set)
    else await expect(open(set)).rejects.toMatchObject({ code: 'store_incomplete' })
  })

  const inParts = hurtsOf(saved).filter(({ parts }) => parts.length > 1)
  test.for(inParts)('$name, and the process notices in between: the next process has everything that was acknowledged', async ({ parts }) => {
    const set = await stage()
    const { place, process } = set
    for (const part of parts) {
      part(place)
      await safely(process)
    }
    await process.kill()
    await mustBeWhole(await open(set), set)
  })

  test.for(hurtsOf(unharmed))('$name: the process continues, and so does the next one', async ({ hurt }) => {
    const set = await stage()
    hurt(set.place)
    await more(set.process, 60)
    expect(await set.process.ping()).toBe(null)
    expect(set.process.refusals).toEqual([])
    await set.process.kill()
    await mustBeWhole(await open(set), set)
  })

  const returns: readonly (readonly [string, (away: string, directory: string) => void])[] = [
    ['comes back', renameSync],
    ['a link leads to it', symlinkSync],
  ]
  test.for(returns)('the folder is renamed and %s: the process continues, and removes its rescued copy', async ([, comeBack]) => {
    const set = await stage()
    const { place, process } = set
    renameSync(place.directory, `${place.directory}.away`)
    await safely(process)
    comeBack(`${place.directory}.away`, place.directory)
    await more(process, 20)
    expect(await process.ping()).toBe(null)
    expect(readdirSync(join(place.directory, '..')).filter((name) => name.includes('rescued'))).toEqual([])
    await process.kill()
    await mustBeWhole(await open(set), set)
  })

  test('the folder is renamed and a link leads to it at once: the process continues, whether it noticed or not', async () => {
    const set = await stage()
    hurtsOf(['a link to itself takes its place'])[0]?.hurt(set.place)
    await more(set.process, 60)
    await until(async () => (await set.process.ping()) === null)
    await set.process.kill()
    await mustBeWhole(await open(set), set)
  })

  const behindLink: readonly (readonly [string, (target: string, backup: string) => void])[] = [
    ['is renamed', (target) => renameSync(target, `${target}.old`)],
    ['is replaced by a backup', (target, backup) => renameSync(backup, target)],
  ]
  test.for(behindLink)('the database is a link, and its target %s: the next process has everything that was', async ([, hurt]) => {
    const target = join(mkdtempSync(join(tmpdir(), 'tocsin-target-')), 'target.db')
    onTestFinished(() => rmSync(dirname(target), { recursive: true, force: true }))
    const set = await stage((place) => {
      mkdirSync(place.directory)
      symlinkSync(target, place.database)
    })
    expect(existsSync(`${target}-wal`)).toBe(true)
    hurt(target, set.place.backup.database)
    await safely(set.process)
    await set.process.kill()
    await mustBeWhole(await open(set), set)
    // The link's target and its log belong together.
    expect(existsSync(`${target}-wal`)).toBe(true)
  })

  test('the folder is removed: the rescued copy has the vault key, and only its owner may read it', async () => {
    const set = await stage()
    const { place, process } = set
    // By then the process has read the key file, which it does once a second.
    await until(async () => process.acknowledged.length > enough + afterBackup + 300)
    hurtsOf(['the folder is removed'])[0]?.hurt(place)
    await safely(process)
    await process.kill()
    const store = await open(set)
    await mustBeWhole(store, set)
    expect(statSync(place.directory).mode & 0o777).toBe(0o700)
    for (const name of ['tocsin.db', 'vault.key', 'owner.lock', 'tocsin.mark', 'tocsin.db-wal', 'tocsin.db-shm'])
      expect([name, statSync(join(place.directory, name)).mode & 0o777]).toEqual([name, 0o600])
  })

  test('the lock is removed: a second process is still kept out, and the first continues', async () => {
    const set = await stage()
    rmSync(set.place.lock)
    await expect(open(set)).rejects.toMatchObject({ code: 'store_locked' })
    await more(set.process, 20)
    expect(set.process.refusals).toEqual([])
  })

  test('a backup is made: it has all alerts acknowledged before, uses other numbers, and passes the check', async () => {
    const set = await stage()
    const { place, process, tenant } = set
    const before = [...process.acknowledged]
    const copy = join(place.directory, '..', 'made')
    backUp(place.directory, copy, ['vault.key', 'admin.key'], systemClock.now())
    await more(process, 20)
    expect(process.refusals).toEqual([])
    expect(readdirSync(copy).toSorted()).toEqual(['tocsin.db', 'tocsin.mark', 'vault.key'])
    expect(examine(copy)).toEqual([])
    const notices: string[] = []
    const store = await openEmbeddedStore({ directory: copy, clock: systemClock, report: ({ message }) => void notices.push(message) })
    onTestFinished(() => store.close())
    expect(await lostOf(store, before)).toEqual([])
    const next = await insertOne(store, newAlert(tenant))
    expect(next.sequence).toBeGreaterThan(1_000_000)
    expect(await store.pauses.standing(everyone)).toHaveLength(1)
    expect(notices.join('\n')).toContain('1000000 higher')
  })
})

describe('while no process has the store open', () => {
  const refused: readonly (readonly [HurtName, 'killed' | 'stopped'])[] = [
    ['the database is removed', 'killed'],
    ['the database is removed', 'stopped'],
    ['the database is cut to nothing', 'killed'],
    ['the database is cut to nothing', 'stopped'],
    ['the database is cut in half', 'killed'],
    ['a page of the database is overwritten', 'killed'],
    ['the header of the database is overwritten', 'killed'],
    ['a backup is copied over the database', 'killed'],
    ['a backup is copied over the database', 'stopped'],
    ['a backup is copied over database and log', 'killed'],
    ['the log is removed', 'killed'],
    ['the log is cut to nothing', 'killed'],
    ['the header of the log is overwritten', 'killed'],
    ['the middle of the log is overwritten', 'killed'],
    ['a backup is copied over the log', 'killed'],
  ]
  test.for(refused)(
    '%s (%s): a start says what is missing and changes nothing; once that is accepted, no number is given twice',
    async ([name, how]) => {
      const set = await stage()
      const { place, process, tenant } = set
      await (how === 'killed' ? process.kill() : process.stop())
      hurtsOf([name])[0]?.hurt(place)
      for (const _twice of [1, 2])
        await expect(open(set)).rejects.toMatchObject({ code: 'store_incomplete', remedy: expect.stringContaining('accept-loss') })
      expect(examine(place.directory)).toHaveLength(1)

      const accepted = (() => {
        try {
          return acceptLoss(place.directory, { by: 'a test', at: systemClock.now() }, systemIds)
        } catch (error) {
          // The remaining files do not fit together. Only a backup helps.
          expect(error).toMatchObject({ code: 'store_damaged' })
          return null
        }
      })()
      if (!accepted) return
      expect(examine(place.directory)).toEqual([])
      const store = await open(set)
      expect(process.acknowledged).not.toContain((await insertOne(store, newAlert(tenant))).alertId)
      expect(await store.pauses.standing(everyone)).toMatchObject([{ target: { kind: 'everything' } }])
      await store.ping()
    },
  )

  const damaged: readonly HurtName[] = [
    'the database is cut in half',
    'a page of the database is overwritten',
    'the header of the database is overwritten',
    'a text takes the place of the database',
    'a folder takes the place of the database',
  ]
  test.for(hurtsOf(damaged))('$name: a start says that the database is damaged', async ({ hurt }) => {
    const set = await stage()
    await set.process.stop()
    hurt(set.place)
    await expect(open(set)).rejects.toMatchObject({ code: 'store_damaged', message: expect.stringContaining(set.place.database) })
    expect(examine(set.place.directory)).not.toEqual([])
  })

  const whole: readonly (readonly [HurtName, 'killed' | 'stopped'])[] = [
    ['nothing at all', 'killed'],
    ['nothing at all', 'stopped'],
    ['the index of the log is removed', 'killed'],
    ['the lock is removed', 'killed'],
    ['the mark is removed', 'killed'],
    ['the mark is overwritten', 'killed'],
    ['a backup is copied over the mark', 'killed'],
    ['a copy of the folder takes its place', 'killed'],
    ['a backup is copied over the log', 'stopped'],
  ]
  test.for(whole)('%s (%s): the next process has all that was acknowledged', async ([name, how]) => {
    const set = await stage()
    await (how === 'killed' ? set.process.kill() : set.process.stop())
    hurtsOf([name])[0]?.hurt(set.place)
    await mustBeWhole(await open(set), set)
  })

  test('an older copy of the whole folder takes its place: numbers start above all that may have been used since', async () => {
    const set = await stage()
    const { place, process, tenant } = set
    await process.stop()
    cpSync(place.directory, `${place.directory}.cold`, { recursive: true, preserveTimestamps: true })
    const next = await startStore(place.directory, tenant)
    await more(next, 20)
    await next.stop()
    rmSync(place.directory, { recursive: true })
    cpSync(`${place.directory}.cold`, place.directory, { recursive: true, preserveTimestamps: true })
    const notices: string[] = []
    const store = await open(set, notices)
    expect(await lostOf(store, process.acknowledged)).toEqual([])
    expect(next.acknowledged).not.toContain((await insertOne(store, newAlert(tenant))).alertId)
    expect(notices.join('\n')).toContain('This folder is a copy')
    // Its alerts still wait, but the original may have investigated them since.
    expect(await store.pauses.standing(everyone)).toMatchObject([{ target: { kind: 'everything' }, paused: { by: 'tocsin' } }])
  })
})
