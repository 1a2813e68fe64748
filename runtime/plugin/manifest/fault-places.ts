import { type ErrorPlace, messageOf } from '../../errors/index.ts'
import { ExpressionError, type Path, placesOf } from '../../expressions/index.ts'
import { type DocumentPath, hint, type Locator, placeAt } from '../../yaml/index.ts'
import { type Scope, unknownReads } from './template-scope.ts'

/** Collects all faults in one file, each with its place. */
export class FaultPlaces {
  readonly found: ErrorPlace[] = []
  readonly #file: Locator
  /** The names of credential fields that no template may read. */
  readonly #secrets: readonly string[]

  constructor(file: Locator, secrets: readonly string[]) {
    this.#file = file
    this.#secrets = secrets
  }

  add(path: DocumentPath, message: string, part: 'value' | 'key' = 'value'): void {
    this.found.push(placeAt((at, which) => this.#file.locate(at, which), path, message, part))
  }

  /** @param offset characters from the start of the string at the path, from 0 */
  inside(path: DocumentPath, offset: number, message: string): void {
    this.found.push({ field: path.join('.'), message, ...this.#file.locateInside(path, offset) })
  }

  /** Adds a fault for a name that does not exist. */
  unknown(path: DocumentPath, kind: string, name: string, known: readonly string[]): void {
    this.add(path, `there is no ${kind} \`${name}\`${hint(name, known)}`)
  }

  /** Calls `compile` for the value at `path`. If it throws, adds the fault and returns null. */
  attempt<T>(path: DocumentPath, compile: () => T): T | null {
    try {
      return compile()
    } catch (error) {
      if (error instanceof ExpressionError) this.found.push(...placesOf(error, this.#file, path))
      else this.add(path, messageOf(error))
      return null
    }
  }

  /** Adds a fault for each name that the templates at a place read and that does not exist. */
  reads(path: DocumentPath, reads: readonly Path[], scope: Scope): void {
    for (const message of unknownReads(reads, scope, this.#secrets)) this.add(path, message)
  }
}
