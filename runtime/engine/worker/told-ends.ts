import { timingSafeEqual } from 'node:crypto'
import { type Alert, type AlertUuid, asId } from '../../domain/index.ts'

/** Returns a text that only the processes of this installation can make from another one. */
export type Prove = (text: string) => string

/** What an end changes in its alert. `retryCount` says of which attempt it is the end. */
type EndFacts = Pick<Alert, 'retryCount' | 'status' | 'modifiedAt' | 'completedAt' | 'investigator' | 'case' | 'caseId'>

/** An end that another process tells. */
export interface ToldEnd {
  readonly facts: EndFacts
  /** Whether reads of the store may not show it yet. A later line tells when they do. */
  readonly ahead: boolean
}

/**
 * Says that an alert's investigation has ended, in a line. With a proof, so that nobody who can write into Redis can make
 * it up.
 * @param ahead whether reads of the store may not show it yet
 */
export function endLine(
  { uuid, retryCount, status, modifiedAt, completedAt, investigator, case: ofCase, caseId }: Alert,
  prove: Prove,
  ahead = false,
): string {
  const facts: EndFacts = { retryCount, status, modifiedAt, completedAt, investigator, case: ofCase, caseId }
  const said = `${uuid} ${JSON.stringify({ ...facts, ...(ahead && { ahead }) })}`
  return `${said} ${prove(said)}`
}

/** Returns the alert of a line of `endLine`, or of a line that has nothing else. */
export function alertOfLine(line: string): AlertUuid {
  return asId<AlertUuid>(line.split(' ', 1)[0] ?? '')
}

/** Returns what a line of `endLine` says. Null: it says nothing more than the alert, or has no valid proof. */
export function endOfLine(line: string, prove: Prove): ToldEnd | null {
  const [first, last] = [line.indexOf(' '), line.lastIndexOf(' ')]
  if (first === last) return null
  const said = line.slice(0, last)
  if (!isSame(line.slice(last + 1), prove(said))) return null
  const { ahead = false, ...facts } = JSON.parse(said.slice(first + 1)) as EndFacts & { readonly ahead?: boolean }
  return { facts, ahead }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
