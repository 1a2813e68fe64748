import { useEffect, useState } from 'react'
import { useLeaveWarning } from '../shared/drafts/leave-warning.ts'
import { type Place, queryOf } from './queries.ts'

/** What somebody is writing. The browser keeps it until it is activated or discarded. */
export interface Draft {
  readonly text: string
  /** The tests of the playbook. */
  readonly tests: string
  /** The revision that it began from; 0: nothing was active. */
  readonly revision: number
}

const keyOf = (place: Place): string => `tocsin.draft.${place.key}${queryOf(place)}`

export function readDraft(place: Place): Draft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null')
    return isDraft(kept) ? kept : null
  } catch {
    return null
  }
}

/** Returns false if the browser has no room for it. */
export function keepDraft(place: Place, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function forgetDraft(place: Place): void {
  localStorage.removeItem(keyOf(place))
}

/** Keeps what somebody writes, and warns before the window is closed. Returns false if the browser has no room for it. */
export function useKeptDraft(place: Place, draft: Draft, changed: boolean): boolean {
  const [kept, setKept] = useState(true)
  useEffect(() => {
    if (changed) setKept(keepDraft(place, draft))
  }, [place, draft, changed])
  useLeaveWarning(changed)
  return kept
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { text, tests, revision } = value as Partial<Record<keyof Draft, unknown>>
  return typeof text === 'string' && typeof tests === 'string' && typeof revision === 'number'
}

/** Editors count a line break as one character. */
export function normal(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
