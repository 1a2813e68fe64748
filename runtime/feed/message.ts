import { asId, type OrganizationId } from '../domain/index.ts'
import { type Belonging, type Change, changeKinds, feedObjects } from './change.ts'

/** Writes the changes that one process tells the others. */
export function writeMessage(changes: readonly Change[]): string {
  return JSON.stringify(changes.map(({ object, id, change, of }) => [object, id, change, of]))
}

/** Returns the changes of a message. Null if this version of Tocsin does not understand it. */
export function readMessage(text: string): readonly Change[] | null {
  try {
    const listed: unknown = JSON.parse(text)
    if (!Array.isArray(listed)) return null
    const changes = listed.map(readChange)
    return changes.every((change) => change !== null) ? changes : null
  } catch {
    return null
  }
}

function readChange(value: unknown): Change | null {
  if (!Array.isArray(value)) return null
  const [object, id, change, of] = value as unknown[]
  const known = feedObjects.find((each) => each === object)
  const kind = changeKinds.find((each) => each === change)
  const belonging = readBelonging(of)
  if (known === undefined || kind === undefined || belonging === null || (id !== null && typeof id !== 'string')) return null
  return { object: known, id, change: kind, of: belonging }
}

function readBelonging(value: unknown): Belonging | null {
  if (value === 'shared' || value === 'operators') return value
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return null
  return value.map((each) => asId<OrganizationId>(each))
}
