import { AlertStatus, endedStatuses } from '../../domain/index.ts'
import type { AlertConditions } from '../port/index.ts'
import { type Bits, noBits } from './bits.ts'
import { encodePage, type Page } from './page.ts'
import { propertyTerm } from './segment.ts'

/** Statuses and playbooks that an alert must have: one term of each list. */
export type WantedStates = readonly (readonly string[])[]

const openStatuses: readonly AlertStatus[] = [AlertStatus.created, AlertStatus.submitted, AlertStatus.inProgress]

/** Returns the statuses that an alert may have. Undefined: any. */
export function statusesOf({ statuses, finished }: AlertConditions): readonly AlertStatus[] | undefined {
  const ofFinished = finished === undefined ? undefined : finished ? endedStatuses : openStatuses
  return statuses && ofFinished ? statuses.filter((status) => ofFinished.includes(status)) : (statuses ?? ofFinished)
}

/** Returns the terms of pages of states that the conditions ask for. */
export function statesWanted(conditions: AlertConditions): WantedStates {
  const [statuses, { playbooks }] = [statusesOf(conditions), conditions]
  return [...(statuses ? [statuses.map(statusTerm)] : []), ...(playbooks ? [playbooks.map(playbookTerm)] : [])]
}

/** Returns the terms of an alert in a page of states. */
export function termsOfState(status: number, playbook: string | null): readonly string[] {
  return [statusTerm(status), ...(playbook === null ? [] : [playbookTerm(playbook)])]
}

function statusTerm(status: number): string {
  return propertyTerm('status', String(status))
}

function playbookTerm(playbook: string): string {
  return propertyTerm('playbook', playbook)
}

/** Encodes a page of states from the terms of each alert of a segment, by position. */
export function encodeStates(termsAt: readonly (readonly string[])[]): Uint8Array {
  const positionsOf = new Map<string, number[]>()
  for (const [position, terms] of termsAt.entries()) {
    for (const term of terms) {
      const positions = positionsOf.get(term)
      if (positions) positions.push(position)
      else positionsOf.set(term, [position])
    }
  }
  return encodePage([...positionsOf].map(([term, positions]) => ({ term, positions })).sort((a, b) => (a.term < b.term ? -1 : 1)))
}

/** Returns the alerts that have one of these terms, of a page that has all terms. */
export function positionsWith(page: Page, terms: readonly string[]): Bits {
  const bits = noBits()
  for (const term of terms) page.addTerms(bits, term, true)
  return bits
}
