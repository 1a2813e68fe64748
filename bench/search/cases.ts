import type { CaseStatus, Disposition } from '../../runtime/domain/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { hash } from './ask.ts'

/** A store that has cases. */
export interface FilledCases {
  readonly store: Store
  /** Resolves when the store has indexed all but the newest cases. */
  index(): Promise<void>
  /** Removes what was filled. */
  close(): Promise<void>
}

/** A store leaves so many of the newest cases out of segments, because most of them still change. */
export const newestOfTail = 256

/** A case as a run leaves it, with what a store keeps of it beside its id. */
export interface BenchCase {
  readonly number: number
  readonly organization: string
  readonly caseId: string
  readonly title: string
  readonly summary: string
  readonly createdAt: number
  readonly modifiedAt: number
}

const kinds = ['Phishing mail reported by', 'Impossible travel of', 'Malware found on the host of', 'Risky sign-in of', 'Password spraying against']
const verdicts = [
  'The mail was opened by nobody. It was removed from the mailbox.',
  'Suspended the account, because the sign-in came from an address that nobody had used before.',
  'No threat was found: the address belongs to the company network.',
  'The file was quarantined, and the host was isolated until somebody looks at it.',
]

/** Most cases are closed. */
export function stateOf({ number }: BenchCase): { readonly status: CaseStatus; readonly disposition: Disposition } {
  return number % 10 ? { status: 'closed', disposition: 'non_malicious_positive' } : { status: 'new', disposition: 'pending' }
}

/** A title and two sentences, about as people and playbooks write them, with an address, a name and a number of its own. */
export function benchCase(n: number, count: number, createdAt: number): BenchCase {
  const user = `user${hash(n) % 5_000}@acme.example`
  const address = [hash(n * 3) % 223, hash(n * 5) % 256, hash(n * 7) % 256, hash(n * 11) % 256].join('.')
  const rare = [
    n % 4 === 0 ? 'neverone' : n % 4 === 2 ? 'nevertwo' : '',
    n % 100 === 0 ? 'hundredth' : '',
    n < count / 10 ? 'oldest' : '',
    n % Math.ceil(count / 10) === 7 ? 'tenfold' : '',
    n === Math.floor(count / 3) ? 'single' : '',
  ]
  return {
    number: n + 1,
    organization: n % 1_000 === 3 ? 'small' : 'large',
    caseId: `ACME-${n + 1}`,
    title: `${kinds[hash(n * 13) % kinds.length]} ${user} ${rare.filter(Boolean).join(' ')}`.trim(),
    summary: `${verdicts[hash(n * 17) % verdicts.length]} Banana. Seen at ${address}, evidence ${hash(n * 19).toString(16)}${hash(n * 23).toString(16)}.`,
    createdAt,
    modifiedAt: createdAt + (hash(n * 29) % 60_000),
  }
}

/** What people may look for. */
export const caseSearches: Readonly<Record<string, readonly string[]>> = {
  'a word of all cases': ['evidence'],
  'a word of one in five': ['phishing'],
  'a word of one in a hundred': ['hundredth'],
  'a word of the oldest tenth': ['oldest'],
  'a word of ten cases': ['tenfold'],
  'a word of one case': ['single'],
  'a word of none': ['nowhere'],
  'the end of a number': ['77777'],
  'an address': ['.17.12'],
  'a user': ['user77@'],
  'a letter': ['q'],
  'a letter of few': ['z'],
  'two letters': ['xz'],
  'two common words that never meet': ['neverone', 'nevertwo'],
  'a common and a rare word': ['evidence', 'single'],
  'a word that none has, of terms that all have': ['bananana'],
  'eight common words': ['evidence', 'banana', 'seen', 'user', '@acme', 'example', 'acme-', 'was'],
  'eight common words that never meet': ['evidence', 'banana', 'seen', '@acme.example', 'acme-', 'neverone', 'nevertwo', 'was'],
  'eight long words that never meet': ['evidence', '@acme.example', 'nevertwo', 'neverone', 'quarantined,', 'isolated', 'somebody', 'impossible'],
}
