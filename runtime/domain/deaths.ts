import type { SessionId } from './ids.ts'
import type { JournalEntry, JournalRecord } from './journal.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'

/** How often a process died that had a run in work. */
export interface RunDeaths {
  /** In a row, without the run having come further in between. */
  readonly inPlace: number
  readonly total: number
}

export const noDeaths: RunDeaths = { inPlace: 0, total: 0 }

/**
 * What a run may share its process with while it is in work: with anything; with few others like it, because a process has died in it before;
 * with nothing, because that has happened again and again. The stricter first, which is the order in which they are served.
 */
export const companies = ['none', 'few', 'any'] as const
export type Company = (typeof companies)[number]

/** How a life of a run came to its end: its process died, it lay down to sleep, or it was left without having ended (its process stopped). */
export type LifeEnd = 'died' | 'slept' | 'left'

/** The deaths of a run when its next life begins. @param journal all that it has, before that life */
export function deathsAfter({ epoch, deaths }: Pick<Run, 'epoch' | 'deaths'>, journal: readonly JournalEntry[], end: LifeEnd): RunDeaths {
  const written = writtenIn(journal, epoch)
  const inPlace = written.length > 0 ? 0 : deaths.inPlace
  // One that lay down to sleep did nothing any more, though its process may have died before the run said that it sleeps.
  const died = end === 'died' && written.at(-1)?.kind !== 'slept'
  return died ? { inPlace: inPlace + 1, total: deaths.total + 1 } : { ...deaths, inPlace }
}

/** Kinds of records that say nothing of how far a run has come. */
const beside: ReadonlySet<JournalRecord['kind']> = new Set(['claimed', 'cancelled'])

/** What a life has written beside that it began. */
function writtenIn(journal: readonly JournalEntry[], epoch: number): readonly JournalRecord[] {
  const records = journal.flatMap((entry) => entry.records)
  const began = records.findLastIndex((record) => record.kind === 'claimed')
  const life = records[began]
  // One that died between its claim and the first entry has none of its own.
  if (life?.kind !== 'claimed' || life.epoch !== epoch) return []
  return records.slice(began + 1).filter(({ kind }) => !beside.has(kind))
}

/** A run may come further in each life and still end the process each time: so many times its limit is too often all the same. */
const timesLimit = 10

/** Whether a run is to end for the deaths in it. @param limit how often in a row is too often */
export function diedTooOften({ inPlace, total }: RunDeaths, limit: number): boolean {
  return inPlace >= limit || total >= limit * timesLimit
}

/** What a run may share its process with. One that is only taken up to end harms nobody. */
export function companyOf(deaths: RunDeaths, limit: number): Company {
  if (deaths.inPlace === 0 || diedTooOften(deaths, limit)) return 'any'
  return deaths.inPlace >= limit - 1 ? 'none' : 'few'
}

/** With what a run, or the preparation of one, would be in work where it is taken. */
export interface ClaimAmong {
  readonly company: Company
  /** How many deaths in a row end a run. */
  readonly deathLimit: number
}

/** The stricter company that so many deaths need; null: what is offered will do. */
export function stricterNeeded(deaths: RunDeaths, among: ClaimAmong | undefined): Company | null {
  if (!among) return null
  const needed = companyOf(deaths, among.deathLimit)
  return suits(needed, among.company) ? null : needed
}

/** Whether a run that needs a company may be in work in another: one that is as strict, or stricter. */
export function suits(needed: Company, offered: Company): boolean {
  return companies.indexOf(offered) <= companies.indexOf(needed)
}

/** That a session prepares an attempt of an alert, before there is a run of it. */
export interface PreparingMark {
  readonly attempt: number
  /** Null: it is done with that, and the alert waits. */
  readonly session: SessionId | null
  /** How often a process had died before, while it prepared this attempt. */
  readonly deaths: number
}

/**
 * How often a process has died while it prepared an attempt.
 * @param mark what stands at the alert
 * @param state of the session that the mark names; null: it names none, or nobody knows it
 */
export function deathsPreparing(mark: PreparingMark | null, attempt: number, state: Session['state'] | null): number {
  if (mark?.attempt !== attempt) return 0
  return state === 'dead' ? mark.deaths + 1 : mark.deaths
}
