import { idOf } from './ids.ts'
import type { Row, Value } from './row.ts'
import { type ObjectType, objectNamed, objects } from './schema.ts'
import { apiTime } from './times.ts'

export type Seed = Readonly<Record<string, readonly Row[]>>

/** The user of the app. Changes over the API belong to this user. */
export const runAs = idOf('005', 1)
export const organizationId = idOf('00D', 1)

/** The records of the org. Deleted records stay, as in a recycle bin. */
export class Org {
  readonly #rows = new Map<string, Map<string, Row>>()
  readonly #now: () => number
  #numbers = 100_000
  /** How often each record was changed or deleted. */
  readonly writes = new Map<string, number>()

  constructor(seed: Seed, now: () => number) {
    this.#now = now
    for (const { name } of objects) this.#rows.set(name, new Map((seed[name] ?? []).map((row) => [String(row['Id']), row])))
  }

  /** Returns the org's time in epoch milliseconds. */
  now(): number {
    return this.#now()
  }

  /** Returns all rows of a kind in the order of creation, including deleted rows. */
  rows(object: ObjectType): readonly Row[] {
    return [...(this.#rows.get(object.name)?.values() ?? [])]
  }

  /** Returns a row by its 18-character id, deleted or not. */
  find(object: ObjectType, id: string): Row | null {
    return this.#rows.get(object.name)?.get(id) ?? null
  }

  /** Returns the row that a reference points to. */
  follow(objectName: string, id: Value): Row | null {
    const object = objectNamed(objectName)
    return object && typeof id === 'string' ? this.find(object, id) : null
  }

  /** Returns the rows with this value in a field, without deleted rows. Texts are compared ignoring case. */
  having(object: ObjectType, field: string, value: string): readonly Row[] {
    const wanted = value.toLowerCase()
    return this.rows(object).filter((row) => row['IsDeleted'] !== true && String(row[field] ?? '').toLowerCase() === wanted)
  }

  create(object: ObjectType, values: Row): string {
    this.#numbers += 1
    const id = idOf(object.prefix, this.#numbers)
    const time = apiTime(this.#now())
    const blank = Object.fromEntries(object.fields.map((field): [string, Value] => [field.name, field.default ?? null]))
    const stamp = { CreatedDate: time, CreatedById: runAs, LastModifiedDate: time, LastModifiedById: runAs, SystemModstamp: time }
    const numbered = object.name === 'Case' ? { CaseNumber: String(this.#numbers).padStart(8, '0') } : {}
    this.#put(object, named({ ...blank, ...stamp, ...numbered, ...values, Id: id }))
    return id
  }

  update(object: ObjectType, id: string, values: Row): void {
    const standing = this.find(object, id)
    if (!standing) return
    const time = apiTime(this.#now())
    this.#put(object, named({ ...standing, ...values, LastModifiedDate: time, LastModifiedById: runAs, SystemModstamp: time }))
  }

  remove(object: ObjectType, id: string): void {
    const standing = this.find(object, id)
    if (standing) this.#put(object, { ...standing, IsDeleted: true })
  }

  #put(object: ObjectType, row: Row): void {
    const id = String(row['Id'])
    this.#rows.get(object.name)?.set(id, row)
    this.writes.set(id, (this.writes.get(id) ?? 0) + 1)
  }
}

/** Sets `Name` of a person from the two other names. */
function named(row: Row): Row {
  if (row['LastName'] === undefined) return row
  return { ...row, Name: [row['FirstName'], row['LastName']].filter((part) => typeof part === 'string').join(' ') }
}
