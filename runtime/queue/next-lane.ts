import type { Company } from '../domain/index.ts'
import type { FairQueue } from '../fairness/index.ts'
import type { Admission, Share } from './admission.ts'

/**
 * Takes the next lane whose job may start now out of those that wait. If an organization has no slot left, one of its
 * lanes of which no job runs may be next. Undefined if there is none.
 * @param waiting lanes whose jobs have this company, each under the owner of its share
 */
export function nextLane<L extends { readonly share: Share }>(waiting: FairQueue<L>, company: Company, admission: Admission): L | undefined {
  if (waiting.size === 0) return undefined
  const next = waiting.shift((owner) => admission.may(company, owner))
  if (next) return next
  const mayFirst = (owner: string): boolean => admission.mayFirst(company, owner)
  return waiting.pick(mayFirst, ({ share }) => admission.isFirst(share.lane))
}
