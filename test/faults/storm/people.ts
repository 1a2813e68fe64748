import { type Answer, Refused, request, type Target } from '../../../runtime/cli/client.ts'
import { openDecisions } from '../../support/api/decisions.ts'
import type { Random } from '../../support/seeded.ts'
import type { Ledger } from './ledger.ts'

/** People who answer decisions, truthfully, from the ledger. Sometimes they cancel a run. */
export interface People {
  /** Acknowledged answers, by decision. */
  readonly said: ReadonlyMap<string, string>
  /** Every decision that they saw. */
  readonly seen: ReadonlyMap<string, Answer>
  /** Answers open decisions. If that fails because of a fault, they are answered next time. */
  answer(target: Target): Promise<void>
  /** Runs whose cancellation was acknowledged. */
  readonly cancelled: ReadonlySet<string>
  /** Sometimes cancels the run of one of these alerts of a listing. */
  cancel(target: Target, alerts: readonly Answer[]): Promise<void>
}

/** They cancel a run in one of this many cases. */
const seldom = 12

/** Returns the address at the external system that a write in doubt is about. */
export function addressOf({ actions, title }: Answer): string {
  const [action] = actions as readonly Answer[]
  const target = String(action?.['target'])
  const [first = `/stamps/${target}`, ...more] = addressesOf(action?.['skill'], target)
  // The title says which request of a handler it is.
  return more.length === 0 ? first : (/POST (\/stamps\/[\w.-]+)/.exec(String(title))?.[1] ?? `/stamps/${target}`)
}

/** Returns the addresses at the external system that a skill writes to. */
export function addressesOf(skill: unknown, target: string): readonly string[] {
  switch (skill) {
    case 'ledger.post_entry':
      return [`/posts/${target}`]
    case 'ledger.set_entry':
      return [`/entries/${target}`]
    case 'ledger.key_entry':
      return [`/keyed/${target}`]
    case 'ledger.stamp_entry':
      return [`/stamps/${target}`]
    case 'ledger.stamp_many':
      return [0, 1, 2].map((number) => `/stamps/${target}-${number}`)
    default:
      return []
  }
}

/** @param random decides what they approve, and when they give up */
export function createPeople(ledger: Ledger, random: Random): People {
  const said = new Map<string, string>()
  const seen = new Map<string, Answer>()
  const cancelled = new Set<string>()
  /** Answers are chosen once, so that a decision that is answered again gets the same answer. */
  const mind = new Map<string, string>()

  const verdictOn = (decision: Answer): string => {
    if (decision['kind'] !== 'in_doubt') return random(8) === 0 ? 'decline' : 'approve'
    if (random(12) === 0) return 'give_up'
    return ledger.writes(addressOf(decision)) > 0 ? 'happened' : 'repeat'
  }

  return {
    said,
    seen,
    cancelled,
    async cancel(target, alerts) {
      const alert = alerts[random(Math.max(alerts.length, 1))]
      if (!alert || random(seldom) > 0) return
      const run = `${String(alert['alert_uuid'])}-r${Number(alert['investigation_retry_count']) + 1}`
      const reason = 'A false alarm'
      await request(target, 'POST', `/platformapi/runs/${run}/cancel`, { reason }).then(
        () => cancelled.add(run),
        // It may have ended meanwhile, or may not have begun.
        () => undefined,
      )
    },
    async answer(target) {
      await Promise.all(
        (await openDecisions(target)).map(async (decision) => {
          const id = String(decision['id'])
          seen.set(id, decision)
          const verdict = mind.get(id) ?? verdictOn(decision)
          mind.set(id, verdict)
          try {
            await request(target, 'POST', `/platformapi/decisions/${id}`, { verdict, reason: 'Looked' })
            said.set(id, verdict)
          } catch (error) {
            // If an answer was accepted but its reply was lost, the same answer is refused now.
            if (error instanceof Refused && error.status < 500 && error.status !== 409) throw error
          }
        }),
      )
    },
  }
}
