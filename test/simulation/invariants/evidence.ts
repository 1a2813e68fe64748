import type { Alert, Decision, JournalEntry, Run } from '../../../runtime/domain/index.ts'
import type { Store } from '../../../runtime/storage/index.ts'
import type { Operators } from '../actors/operators.ts'
import type { Pauses } from '../actors/pauses.ts'
import type { Sources } from '../actors/sources.ts'
import type { ExternalSystem } from '../actors/system.ts'
import type { Scenario } from '../scenario.ts'
import type { Book } from '../world/shared.ts'
import type { World } from '../world/world.ts'

/** Everything that is left at the end. */
export interface Evidence {
  readonly world: World
  readonly store: Store
  readonly system: ExternalSystem
  readonly scenario: Scenario
  readonly books: ReadonlyMap<string, Book>
  readonly sources: Sources
  readonly operators: Operators
  readonly pauses: Pauses
}

/** One run, with its journal and its decisions. */
export interface Life {
  readonly run: Run
  readonly alert: Alert
  readonly book: Book
  readonly journal: readonly JournalEntry[]
  readonly decisions: readonly Decision[]
}
