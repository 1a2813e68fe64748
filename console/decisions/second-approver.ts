import type { DecisionView, KeyView } from '../../runtime/api/index.ts'
import { anybody } from './words.ts'

type Asked = Pick<DecisionView, 'by' | 'approvers' | 'answers' | 'asked_at' | 'organization_code'>
type Maker = ReadonlyMap<string, string | null>

/** What follows if somebody approves a decision that needs several people. */
export interface DeadEnd {
  /** The names of the people who can approve instead. Null: there are too few of them. */
  readonly instead: readonly string[] | null
}

/**
 * Finds out whether too few people are left to approve after somebody has: two keys count as one person if one of them made the other
 * (decision 134). Counts as the server does, for every key that works now.
 * @param keys every key of the installation, revoked ones too
 * @returns null if enough people are left
 */
export function deadEndOf(asked: Asked, me: string, keys: readonly KeyView[]): DeadEnd | null {
  const makers: Maker = new Map(keys.map(({ principal_uuid, created_by }) => [principal_uuid, created_by]))
  const answered = asked.answers.map(({ principal_uuid }) => principal_uuid)
  const free = keys.filter((key) => mayApprove(asked, key) && apart(makers, answered, key.principal_uuid))
  const others = free.filter(({ principal_uuid }) => apart(makers, [me], principal_uuid))
  const needed = asked.approvers - answered.length
  if (people(makers, others) >= needed - 1) return null
  const withoutMe = free.filter(({ principal_uuid }) => principal_uuid !== me)
  return { instead: people(makers, withoutMe) >= needed ? withoutMe.map(({ name }) => name) : null }
}

function mayApprove({ by, asked_at, organization_code: code }: Asked, key: KeyView): boolean {
  const { name, scopes, organizations, created_at, revoked_at, expired } = key
  return (
    revoked_at === null &&
    !expired &&
    created_at <= asked_at &&
    (scopes.includes('admin') || scopes.includes('decisions:answer')) &&
    (organizations === 'all' || organizations.includes(code)) &&
    (anybody(by) || by.includes(name) || by.some((permission) => scopes.includes(permission)))
  )
}

/** Whether a principal counts as another person than each of `others`. */
function apart(makers: Maker, others: readonly string[], id: string): boolean {
  const above = makersOf(makers, id)
  return others.every((other) => other !== id && !above.has(other) && !makersOf(makers, other).has(id))
}

/** How many different people the keys are at most: those that made no other one of them. */
function people(makers: Maker, keys: readonly KeyView[]): number {
  const ids = new Set(keys.map(({ principal_uuid }) => principal_uuid))
  const above = new Set([...ids].flatMap((id) => [...makersOf(makers, id)]))
  return [...ids].filter((id) => !above.has(id)).length
}

function makersOf(makers: Maker, id: string): ReadonlySet<string> {
  const above = new Set<string>()
  for (let maker = makers.get(id); maker && !above.has(maker); maker = makers.get(maker)) above.add(maker)
  return above
}
