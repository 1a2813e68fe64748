import type { SessionId } from '../ids.ts'

import type { Session } from './session.ts'

/** How often a process died while it worked on a run. */
export interface RunDeaths {
  /** Deaths in a row, without progress in between. */
  readonly inPlace: number
  readonly total: number
}

export const noDeaths: RunDeaths = { inPlace: 0, total: 0 }

/**
 * What a run may share its process with. `none`: nothing, because processes have died on it several times in
 * a row. `few`: a few other such runs, because a process has died on it before. `any`: anything. Strictest
 * first; jobs are served in this order.
 */
export const companies = ['none', 'few', 'any'] as const
export type Company = (typeof companies)[number]

/**
 * A run may make progress in each execution and still kill the process each time. It ends after this many
 * times the limit of deaths in total.
 */
const timesLimit = 10

/**
 * Returns whether a run must end because of its deaths.
 * @param limit how many deaths in a row are too many
 */
export function diedTooOften({ inPlace, total }: RunDeaths, limit: number): boolean {
  return inPlace >= limit || total >= limit * timesLimit
}

/**
 * Returns what a run may share its process with. A run that is only claimed to be ended is harmless, so it
 * may share with anything.
 */
export function companyOf(deaths: RunDeaths, limit: number): Company {
  if (deaths.inPlace === 0 || diedTooOften(deaths, limit)) return 'any'
  return deaths.inPlace >= limit - 1 ? 'none' : 'few'
}

/** The company that a run, or its preparation, would have in the process that claims it. */
export interface ClaimAmong {
  readonly company: Company
  /** How many deaths in a row end a run. */
  readonly deathLimit: number
}

/** Returns the stricter company that these deaths require. Null if the offered company is strict enough. */
export function stricterNeeded(deaths: RunDeaths, among: ClaimAmong | undefined): Company | null {
  if (!among) return null
  const needed = companyOf(deaths, among.deathLimit)
  return suits(needed, among.company) ? null : needed
}

/** Returns whether the offered company is at least as strict as the needed one. */
export function suits(needed: Company, offered: Company): boolean {
  return companies.indexOf(offered) <= companies.indexOf(needed)
}

/** Says that a session is preparing an attempt of an alert that has no run yet. */
export interface PreparingMark {
  readonly attempt: number
  /** Null: the preparation has finished, and the alert waits. */
  readonly session: SessionId | null
  /** How many processes died earlier while they prepared this attempt. */
  readonly deaths: number
}

/**
 * Returns how many processes have died while they prepared an attempt.
 * @param mark the mark of the alert
 * @param state the state of the session that the mark names; null if it names none, or the session is unknown
 */
export function deathsPreparing(mark: PreparingMark | null, attempt: number, state: Session['state'] | null): number {
  if (mark?.attempt !== attempt) return 0
  return state === 'dead' ? mark.deaths + 1 : mark.deaths
}
