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
  /** Of texts. */
  readonly length: number
  readonly createable: boolean
  readonly updateable: boolean
  /** A record cannot be created without it. */
  readonly required: boolean
  readonly unique: boolean
  readonly externalId: boolean
  readonly filterable: boolean
  readonly sortable: boolean
  readonly groupable: boolean
  /** Of a restricted picklist. */
  readonly values?: readonly string[]
  /** Of a reference: to which kind, and what the way there is called. */
  readonly refersTo?: string
  readonly relationship?: string
  readonly default?: Value
}
