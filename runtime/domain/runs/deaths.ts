import type { SessionId } from '../ids.ts'

import type { Session } from './session.ts'

/** How often a process died while it worked on a run. */
export interface RunDeaths {
  /** In a row: the run made no progress in between. */
  readonly inPlace: number
  readonly total: number
}

export const noDeaths: RunDeaths = { inPlace: 0, total: 0 }

/**
 * What a run may share its process with: with nothing (`none`), because processes have died in it again and again; with a few other such runs (`few`),
 * because a process has died in it before; with anything (`any`). Strictest first. Jobs are served in this order.
 */
export const companies = ['none', 'few', 'any'] as const
export type Company = (typeof companies)[number]

/** A run may make progress in each life and still kill the process each time. It ends after the limit times this many deaths in total. */
const timesLimit = 10

/** Whether a run must end because of its deaths. @param limit how many deaths in a row are too many */
export function diedTooOften({ inPlace, total }: RunDeaths, limit: number): boolean {
  return inPlace >= limit || total >= limit * timesLimit
}

/** What a run may share its process with. A run that is only taken up to be ended harms nobody, so it may share with anything. */
export function companyOf(deaths: RunDeaths, limit: number): Company {
  if (deaths.inPlace === 0 || diedTooOften(deaths, limit)) return 'any'
  return deaths.inPlace >= limit - 1 ? 'none' : 'few'
}

/** The company that a run, or its preparation, would have in the process that takes it. */
export interface ClaimAmong {
  readonly company: Company
  /** How many deaths in a row end a run. */
  readonly deathLimit: number
}

/** The stricter company that these deaths call for; null if the offered company is strict enough. */
export function stricterNeeded(deaths: RunDeaths, among: ClaimAmong | undefined): Company | null {
  if (!among) return null
  const needed = companyOf(deaths, among.deathLimit)
  return suits(needed, among.company) ? null : needed
}

/** Whether the offered company is at least as strict as the needed one. */
export function suits(needed: Company, offered: Company): boolean {
  return companies.indexOf(offered) <= companies.indexOf(needed)
}

/** Notes that a session prepares an attempt of an alert which has no run yet. */
export interface PreparingMark {
  readonly attempt: number
  /** Null: preparing has finished, and the alert waits. */
  readonly session: SessionId | null
  /** How many processes had died before while they prepared this attempt. */
  readonly deaths: number
}

/**
 * How many processes have died while they prepared an attempt.
 * @param mark the mark of the alert
 * @param state of the session that the mark names; null: it names none, or the session is unknown
 */
export function deathsPreparing(mark: PreparingMark | null, attempt: number, state: Session['state'] | null): number {
  if (mark?.attempt !== attempt) return 0
  return state === 'dead' ? mark.deaths + 1 : mark.deaths
}
