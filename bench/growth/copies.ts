import { v7 } from 'uuid'

/** Words that stand in the content of the alerts that are copied. Each copy has others in their place. */
export const placeholders = [
  'qzitem',
  'qzmeet',
  'qzrare',
  'qzown',
  ...Array.from({ length: 16 }, (_, index) => `qzword${String.fromCharCode(97 + index)}`),
]

/** The alerts whose rows are copied, and how often each is: the first whose condition a copy fulfils. */
export const kinds = {
  open: { type: 'bench_history', ask: true, fail: false, word: 'smooth', is: (n: number) => n % 2_000 === 1_999 },
  asked: { type: 'bench_history', ask: true, fail: false, word: 'smooth', is: (n: number) => n % 20 === 3 },
  failed: { type: 'bench_history', ask: false, fail: true, word: 'rough', is: (n: number) => n % 10 === 5 },
  short: { type: 'bench_run', ask: false, fail: false, word: 'brief', is: (n: number) => n % 8 === 2 },
  plain: { type: 'bench_history', ask: false, fail: false, word: 'smooth', is: () => true },
} as const

export type Kind = keyof typeof kinds

export function kindOf(n: number): Kind {
  return (Object.keys(kinds) as Kind[]).find((kind) => kinds[kind].is(n)) ?? 'plain'
}

/** Pseudo-random numbers that are the same in every run. */
function hash(n: number): number {
  let x = Math.imul(n + 1, 0x9e3779b1)
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/** Returns what the nth copy has in place of the placeholders: words of which two never meet, rare ones, and some from vocabularies of each size. */
function wordsOf(n: number, count: number): readonly string[] {
  const meet = ['never1', 'even', 'never2', 'odd'][n % 4] ?? ''
  const rare = n === Math.floor(count / 3) ? 'single' : 'usual'
  const own = hash(n).toString(16).padStart(8, '0') + hash(n * 13 + 5).toString(16)
  const vocabulary = Array.from({ length: 16 }, (_, slot) => `${String.fromCharCode(97 + slot)}${hash(n * 31 + slot) % (4 ** (slot % 8) + 3)}`)
  return [`item${n}`, meet, rare, own, ...vocabulary]
}

/** The alert whose rows are copied. */
export interface Original {
  readonly kind: Kind
  readonly alertUuid: string
  readonly alertId: string
  readonly caseUuid: string
  readonly caseId: string
  readonly createdAt: number
  /** Null: it asked nothing. */
  readonly decision: string | null
}

/** What the copies replace in the rows of an original. `copyOf` returns the names of a copy in this order. */
export function namesOf({ alertUuid, alertId, caseUuid, caseId, decision }: Original): readonly string[] {
  return [alertUuid, alertId, caseUuid, caseId, decision ?? 'no decision', ...placeholders]
}

/** How many alerts to copy, and between which times they were created. */
export interface Plan {
  readonly alerts: number
  readonly from: number
  readonly to: number
  /** The last numbers that the store has given. */
  readonly lastAlert: number
  readonly lastCase: number
}

/** One copy of an original. */
export interface Copy {
  readonly kind: Kind
  readonly names: readonly string[]
  /** How much later than its original it is. Milliseconds. */
  readonly later: number
  readonly alertNumber: number
  readonly caseNumber: number
}

const numberless = (id: string): string => id.slice(0, id.lastIndexOf('-') + 1)

/** Makes the copies, oldest first. */
export function* copiesOf(originals: readonly Original[], { alerts, from, to, lastAlert, lastCase }: Plan): Generator<Copy> {
  const byKind = new Map(originals.map((original) => [original.kind, original]))
  for (let n = 0; n < alerts; n += 1) {
    const kind = kindOf(n)
    const original = byKind.get(kind)
    if (!original) throw new Error(`There is no alert of the kind ${kind} to copy.`)
    const createdAt = from + Math.floor(((to - from) * n) / alerts)
    const [alertNumber, caseNumber] = [lastAlert + 1 + n, lastCase + 1 + n]
    const uuid = (): string => v7({ msecs: createdAt })
    const names = [uuid(), numberless(original.alertId) + alertNumber, uuid(), numberless(original.caseId) + caseNumber, uuid()]
    yield { kind, names: [...names, ...wordsOf(n, alerts)], later: createdAt - original.createdAt, alertNumber, caseNumber }
  }
}
