import type { PrincipalId, RunId } from '../ids.ts'
import type { Millis } from '../seams.ts'
import type { Case, CaseChange, TimelineBody, TimelineEntry } from './case.ts'
import type { CaseDesk } from './case-desk.ts'
import { type CaseMarks, type CaseUndo, mostMarks } from './case-marks.ts'
import { affectsDesk, deskAfter, overfills } from './desk-after.ts'
import { heldClosed } from './held-closed.ts'

/** The parts of a case that a timeline entry can change. */
type CaseState = Pick<Case, 'title' | 'severity' | 'status' | 'disposition' | 'assignee' | 'summary' | 'marks' | 'desk'>

/** How a timeline entry changes its case. */
interface Effect {
  readonly change: CaseChange
  readonly marks: CaseMarks
}

export interface CaseAfter extends Effect {
  readonly desk: CaseDesk
  /** The entry to store. It includes the status that it gave the case. */
  readonly entry: TimelineEntry
}

/** Returns whether an entry of this kind can change its case even without an explicit change. */
export function affectsCase(body: TimelineBody): boolean {
  switch (body.kind) {
    case 'failure':
      return body.ended !== undefined
    case 'retry':
    case 'undo':
    case 'undone':
    case 'doubt':
    case 'recovered':
      return true
    default:
      return affectsDesk(body)
  }
}

/**
 * Returns the case after an entry. Every store uses this one definition of status, marks and desk.
 *
 * A merged case stays closed, but runs may still write to it. The status that they set is kept in `desk.into`, and
 * becomes the status of the case when the merge is taken back.
 * @param wanted the change that comes with the entry; null if there is none
 */
export function caseAfter(standing: CaseState, asked: TimelineEntry, wanted: CaseChange | null): CaseAfter {
  if (asked.body.kind === 'merge') return mergedAfter(standing, asked, asked.body)
  if (overfills(standing.desk, asked.body)) {
    const { marks, desk } = standing
    return { change: {}, marks, desk, entry: { ...asked, body: { ...asked.body, refused: true } as TimelineBody } }
  }
  const { entry, change } = heldClosed(standing, asked, wanted)
  const { into } = standing.desk
  const after = plainAfter(into ? { ...standing, status: into.status } : standing, entry, change)
  const { status, ...others } = after.change
  const told = withBefore(standing, into ? entry : after.entry)
  if (!into) {
    const closed = (status ?? standing.status) === 'closed'
    return { ...after, entry: told, desk: deskAfter(standing.desk, entry, closed) }
  }
  const desk = deskAfter(standing.desk, entry, true)
  const kept = status === undefined || status === into.status ? desk : { ...desk, into: { ...into, status } }
  return { change: others, marks: after.marks, entry: told, desk: kept }
}

/** Adds the values before a change to its entry. */
function withBefore(standing: CaseState, entry: TimelineEntry): TimelineEntry {
  const { body } = entry
  if (body.kind !== 'change') return entry
  const before = Object.fromEntries(
    (['title', 'severity', 'status', 'disposition', 'assignee'] as const).flatMap((field) =>
      body.change[field] === undefined ? [] : [[field, standing[field]]],
    ),
  )
  return { ...entry, body: { ...body, before } }
}

/** A case that is merged, or that has merged cases, cannot be merged. So there are no circles and no chains of merges. */
function mergedAfter(standing: CaseState, entry: TimelineEntry, body: Extract<TimelineBody, { kind: 'merge' }>): CaseAfter {
  const { marks, desk, status } = standing
  const { at } = entry
  const { act, other, by } = body
  const after = (changed: Partial<CaseDesk>, next = status): CaseAfter => ({
    change: next === status ? {} : { status: next },
    marks,
    desk: deskAfter({ ...desk, ...changed }, entry, next === 'closed'),
    entry,
  })
  const refused: CaseAfter = { change: {}, marks, desk, entry: { ...entry, body: { ...body, refused: true } } }
  const others = desk.merged.filter(({ uuid }) => uuid !== other.uuid)
  switch (act) {
    case 'into':
      if (desk.into || desk.merged.length > 0) return refused
      return after({ into: { ...other, at, by, status } }, 'closed')
    case 'taken_back':
      return desk.into?.uuid === other.uuid ? after({ into: null }, desk.into.status) : refused
    case 'absorbed':
      return desk.into ? refused : after({ merged: [...others, { ...other, at, by }] })
    default:
      return after({ merged: others })
  }
}

/** Returns status and marks after an entry of a case that is not merged. */
function plainAfter(standing: CaseState, entry: TimelineEntry, change: CaseChange | null): Omit<CaseAfter, 'desk'> {
  const { at, actor, body } = entry
  const after = change ? stated(standing, change, 'principal' in actor) : { change: {}, marks: standing.marks }
  const effect = effectOf({ ...standing, ...after.change, marks: after.marks }, at, body, 'principal' in actor ? actor.principal : null)
  if (!effect) return { ...after, entry }
  const { status } = effect.change
  const kept = status === undefined ? entry : { ...entry, body: { ...body, status } as TimelineBody }
  return { change: { ...after.change, ...effect.change }, marks: effect.marks, entry: kept }
}

/**
 * Applies a change that a person or a run states. It overrides what earlier undos did to the case. A person
 * who sets the status has also seen the failures and doubts.
 */
function stated({ marks }: CaseState, change: CaseChange, byPerson: boolean): Effect {
  const undos = marks.undos.map((undo): CaseUndo => {
    const open = undo.state === 'under_way'
    return {
      ...undo,
      ...(change.status !== undefined && { took: null, newerThanStatus: open }),
      ...(typeof change.summary === 'string' && { newerThanVerdict: open }),
    }
  })
  const seen = byPerson && change.status !== undefined
  const kept = undos.filter((undo) => undo.newerThanStatus || undo.newerThanVerdict)
  return { change, marks: { failures: seen ? [] : marks.failures, doubts: seen ? [] : marks.doubts, undos: kept } }
}

function effectOf(standing: CaseState, at: Millis, body: TimelineBody, principal: PrincipalId | null): Effect | null {
  const { marks } = standing
  switch (body.kind) {
    case 'failure': {
      const { code, ended: failed } = body
      if (!failed) return null
      const failures = latest([...marks.failures.filter(({ alert }) => alert !== failed.alert), { ...failed, code, at }])
      return { change: failed.retryAt === null ? handedOver(standing) : {}, marks: { ...marks, failures } }
    }
    case 'retry': {
      if (body.dropped === undefined) return null
      const failures = marks.failures.map((failure) => (failure.run === body.dropped ? { ...failure, retryAt: null } : failure))
      return { change: handedOver(standing), marks: { ...marks, failures } }
    }
    case 'recovered':
      return { change: {}, marks: { ...marks, failures: marks.failures.filter(({ alert }) => alert !== body.alert) } }
    case 'doubt': {
      const { run, writes } = body
      const doubts = latest([...marks.doubts.filter((doubt) => doubt.run !== run), { run, at, writes }])
      return { change: handedOver(standing), marks: { ...marks, doubts } }
    }
    case 'undo':
      return principal !== null ? begun(standing, at, body.undoes, { ...body.asked, principal }) : null
    case 'undone':
      return ended(standing, at, body)
    default:
      return null
  }
}

/**
 * Returns the change that asks for an analyst if nobody is working on the case. A status that a person or a
 * playbook has set to anything else stays.
 */
function handedOver({ status }: CaseState): CaseChange {
  return status === 'new' || status === 'in_progress' ? { status: 'analyst_pending' } : {}
}

type Asked = Pick<CaseUndo, 'undo' | 'by' | 'reason' | 'principal'>

/**
 * Applies the start of an undo. A write may be taken back at any moment now, so the case no longer counts as
 * contained.
 */
function begun({ status, summary, marks }: CaseState, at: Millis, undoes: RunId, asked: Asked): Effect {
  const contained = status === 'contained'
  const undo: CaseUndo = {
    ...asked,
    undoes,
    at,
    endedAt: null,
    state: 'under_way',
    undone: 0,
    standing: 0,
    inDoubt: 0,
    took: contained ? status : null,
    newerThanStatus: true,
    newerThanVerdict: summary !== null,
  }
  return { change: contained ? { status: 'analyst_pending' } : {}, marks: { ...marks, undos: latest([...marks.undos, undo]) } }
}

function ended({ status, summary, marks }: CaseState, at: Millis, body: Extract<TimelineBody, { kind: 'undone' }>): Effect {
  const { undo, undoes, principal, by, reason, state, undone, standing, inDoubt, changed } = body
  const mine = marks.undos.find((one) => one.undo === undo)
  const before = marks.undos.filter((one) => one.undo !== undo)
  /** The undos of other runs. The latest undo of a run describes the result of all its undos. */
  const others = before.filter((one) => one.undoes !== undoes)
  const told = { undo, undoes, principal, by, reason, at: mine?.at ?? at, endedAt: at, state, undone, standing, inDoubt, took: null }
  const sinceVerdict = changed || before.some((one) => one.undoes === undoes && one.newerThanVerdict && changedSomething(one))
  const over: CaseUndo = { ...told, newerThanStatus: true, newerThanVerdict: sinceVerdict && summary !== null }
  if (changed) {
    const undos = latest([...others.map((one) => ({ ...one, took: null })), over])
    return { change: status === 'contained' ? { status: 'analyst_pending' } : {}, marks: { ...marks, undos } }
  }
  const took = mine?.took ?? null
  // Another active undo may also end without taking anything back. That one restores the status then.
  const heir = took === null ? undefined : others.find((one) => one.state === 'under_way')
  const undos = latest([...others.map((one) => (one === heir ? { ...one, took } : one)), over])
  const standsAsBefore = !before.some((one) => one.newerThanStatus && changedSomething(one))
  const givesBack = took !== null && !heir && status === 'analyst_pending' && standsAsBefore
  return { change: givesBack ? { status: took } : {}, marks: { ...marks, undos } }
}

function changedSomething({ state }: CaseUndo): boolean {
  return state === 'partly' || state === 'undone' || state === 'in_doubt'
}

function latest<T>(marks: readonly T[]): readonly T[] {
  return marks.slice(-mostMarks)
}
