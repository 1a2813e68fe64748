import { timingSafeEqual } from 'node:crypto'
import { type Alert, type AlertUuid, asId } from '../../domain/index.ts'

/** Returns a text that only the processes of this installation can make from another one. */
export type Prove = (text: string) => string

/** What an end changes in its alert. `retryCount` says of which attempt it is the end. */
type EndFacts = Pick<Alert, 'retryCount' | 'status' | 'modifiedAt' | 'completedAt' | 'investigator' | 'case' | 'caseId'>

/**
 * Says that an alert's investigation has ended, in a line. With a proof, so that nobody who can write into Redis can make
 * it up.
 */
export function endLine({ uuid, retryCount, status, modifiedAt, completedAt, investigator, case: ofCase, caseId }: Alert, prove: Prove): string {
  const facts: EndFacts = { retryCount, status, modifiedAt, completedAt, investigator, case: ofCase, caseId }
  const said = `${uuid} ${JSON.stringify(facts)}`
  return `${said} ${prove(said)}`
}

/** Returns the alert of a line of `endLine`, or of a line that has nothing else. */
export function alertOfLine(line: string): AlertUuid {
  return asId<AlertUuid>(line.split(' ', 1)[0] ?? '')
}

/** Returns what a line of `endLine` says. Null: it says nothing more than the alert, or has no valid proof. */
export function factsOfLine(line: string, prove: Prove): EndFacts | null {
  const [first, last] = [line.indexOf(' '), line.lastIndexOf(' ')]
  if (first === last) return null
  const said = line.slice(0, last)
  return isSame(line.slice(last + 1), prove(said)) ? (JSON.parse(said.slice(first + 1)) as EndFacts) : null
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
