import type { Field } from './field.ts'
import { accountFields, caseFields, contactFields, eventLogFields, organizationFields, setupAuditFields, userFields } from './fields.ts'

/** The children of a record: `(SELECT … FROM Contacts)`. */
interface ChildRelationship {
  readonly name: string
  readonly object: string
  readonly field: string
}

export interface ObjectType {
  readonly name: string
  readonly label: string
  readonly plural: string
  /** The prefix of its ids. */
  readonly prefix: string
  readonly fields: readonly Field[]
  readonly children: readonly ChildRelationship[]
  readonly createable: boolean
  readonly updateable: boolean
  readonly deletable: boolean
  /** If true, GROUP BY and aggregates are allowed. A bare COUNT() always is. */
  readonly aggregatable: boolean
}

const open = { createable: true, updateable: true, deletable: true, aggregatable: true, children: [] } as const
const queried = { ...open, createable: false, updateable: false, deletable: false } as const

/** The kinds of records in the simulated org. */
export const objects: readonly ObjectType[] = [
  {
    ...open,
    name: 'Account',
    label: 'Account',
    plural: 'Accounts',
    prefix: '001',
    fields: accountFields,
    children: [
      { name: 'Contacts', object: 'Contact', field: 'AccountId' },
      { name: 'Cases', object: 'Case', field: 'AccountId' },
    ],
  },
  {
    ...open,
    name: 'Contact',
    label: 'Contact',
    plural: 'Contacts',
    prefix: '003',
    fields: contactFields,
    children: [{ name: 'Cases', object: 'Case', field: 'ContactId' }],
  },
  { ...open, name: 'Case', label: 'Case', plural: 'Cases', prefix: '500', fields: caseFields },
  { ...open, deletable: false, name: 'User', label: 'User', plural: 'Users', prefix: '005', fields: userFields },
  { ...queried, name: 'Organization', label: 'Organization', plural: 'Organizations', prefix: '00D', fields: organizationFields },
  {
    ...queried,
    aggregatable: false,
    name: 'SetupAuditTrail',
    label: 'Setup Audit Trail Entry',
    plural: 'Setup Audit Trail Entries',
    prefix: '0Ym',
    fields: setupAuditFields,
  },
  { ...queried, name: 'EventLogFile', label: 'Event Log File', plural: 'Event Log Files', prefix: '0AT', fields: eventLogFields },
]

/** Finds an object by name, ignoring case. */
export function objectNamed(name: string): ObjectType | null {
  return objects.find((object) => object.name.toLowerCase() === name.toLowerCase()) ?? null
}

export function fieldNamed(object: ObjectType, name: string): Field | null {
  return object.fields.find((field) => field.name.toLowerCase() === name.toLowerCase()) ?? null
}
