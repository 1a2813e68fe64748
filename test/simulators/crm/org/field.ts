import type { Value } from './row.ts'

export type FieldType =
  | 'id'
  | 'reference'
  | 'string'
  | 'textarea'
  | 'email'
  | 'phone'
  | 'url'
  | 'picklist'
  | 'boolean'
  | 'double'
  | 'currency'
  | 'int'
  | 'datetime'
  | 'base64'

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly label: string
  /** The most characters of a text. */
  readonly length: number
  readonly createable: boolean
  readonly updateable: boolean
  /** If true, a record cannot be created without it. */
  readonly required: boolean
  readonly unique: boolean
  readonly externalId: boolean
  readonly filterable: boolean
  readonly sortable: boolean
  readonly groupable: boolean
  /** The values of a restricted picklist. */
  readonly values?: readonly string[]
  /** For a reference: the kind that it refers to, and the name of the relationship. */
  readonly refersTo?: string
  readonly relationship?: string
  readonly default?: Value
}
