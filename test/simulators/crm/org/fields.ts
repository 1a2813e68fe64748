import type { Field, FieldType } from './field.ts'

type More = Partial<Omit<Field, 'name' | 'type'>>

const groupables: readonly FieldType[] = ['id', 'reference', 'string', 'email', 'phone', 'url', 'picklist', 'boolean', 'int']

function field(name: string, type: FieldType, more: More = {}): Field {
  return {
    name,
    type,
    label: name
      .replace(/__c$/, '')
      .replaceAll('_', ' ')
      .replace(/([a-z])([A-Z])/g, '$1 $2'),
    length:
      type === 'id' || type === 'reference'
        ? 18
        : type === 'textarea'
          ? 32_000
          : ['double', 'currency', 'int', 'boolean', 'datetime'].includes(type)
            ? 0
            : 255,
    createable: true,
    updateable: true,
    required: false,
    unique: false,
    externalId: false,
    filterable: type !== 'textarea' && type !== 'base64',
    sortable: type !== 'textarea' && type !== 'base64',
    groupable: groupables.includes(type),
    ...more,
  }
}

/** Makes a field that the system sets. */
function fixed(name: string, type: FieldType, more: More = {}): Field {
  return field(name, type, { createable: false, updateable: false, ...more })
}

const toUser = (name: string): Field => fixed(name, 'reference', { refersTo: 'User', relationship: name.replace(/Id$/, '') })
const id = fixed('Id', 'id')
const made = [fixed('CreatedDate', 'datetime'), toUser('CreatedById')]
const system = [...made, fixed('LastModifiedDate', 'datetime'), toUser('LastModifiedById'), fixed('SystemModstamp', 'datetime')]
const deleted = fixed('IsDeleted', 'boolean', { default: false })

export const accountFields: readonly Field[] = [
  id,
  deleted,
  field('Name', 'string', { required: true }),
  field('Website', 'url'),
  field('Industry', 'picklist'),
  field('AnnualRevenue', 'currency'),
  field('NumberOfEmployees', 'int'),
  field('Description', 'textarea'),
  ...system,
  field('External_Id__c', 'string', { unique: true, externalId: true, length: 64 }),
]

export const contactFields: readonly Field[] = [
  id,
  deleted,
  field('AccountId', 'reference', { refersTo: 'Account', relationship: 'Account' }),
  field('LastName', 'string', { required: true, length: 80 }),
  field('FirstName', 'string', { length: 40 }),
  fixed('Name', 'string'),
  field('Email', 'email', { length: 80 }),
  field('Department', 'string', { length: 80 }),
  ...system,
  // An external id need not be unique, so an upsert by it can match several records.
  field('Badge__c', 'string', { externalId: true, length: 64 }),
]

export const caseFields: readonly Field[] = [
  id,
  deleted,
  fixed('CaseNumber', 'string'),
  field('ContactId', 'reference', { refersTo: 'Contact', relationship: 'Contact' }),
  field('AccountId', 'reference', { refersTo: 'Account', relationship: 'Account' }),
  field('Subject', 'string'),
  field('Description', 'textarea'),
  field('Status', 'picklist', { values: ['New', 'Working', 'Escalated', 'Closed'], default: 'New' }),
  field('Priority', 'picklist', { values: ['Low', 'Medium', 'High'], default: 'Medium' }),
  field('Origin', 'picklist'),
  ...system,
  field('Alert_Id__c', 'string', { unique: true, externalId: true, length: 64 }),
]

export const userFields: readonly Field[] = [
  id,
  field('Username', 'string', { required: true, length: 80 }),
  field('LastName', 'string', { required: true, length: 80 }),
  field('FirstName', 'string', { length: 40 }),
  fixed('Name', 'string'),
  field('Email', 'email', { required: true, length: 128 }),
  field('IsActive', 'boolean', { default: true }),
  fixed('UserType', 'picklist'),
  fixed('LastLoginDate', 'datetime'),
  ...system,
]

export const organizationFields: readonly Field[] = [
  id,
  fixed('Name', 'string'),
  fixed('IsSandbox', 'boolean'),
  fixed('InstanceName', 'string'),
  ...system,
]

const shownOnly = { filterable: false, groupable: false } as const

/** Display and Section allow sorting but not filtering. */
export const setupAuditFields: readonly Field[] = [
  id,
  fixed('Action', 'string'),
  fixed('Section', 'string', shownOnly),
  ...made,
  fixed('Display', 'string', shownOnly),
  fixed('DelegateUser', 'string'),
  fixed('ResponsibleNamespacePrefix', 'string'),
  fixed('CreatedByContext', 'string'),
  fixed('CreatedByIssuer', 'string'),
]

export const eventLogFields: readonly Field[] = [
  id,
  deleted,
  ...system,
  fixed('EventType', 'picklist'),
  fixed('LogDate', 'datetime'),
  fixed('LogFileLength', 'double'),
  fixed('LogFileContentType', 'string'),
  fixed('ApiVersion', 'double'),
  fixed('LogFileFieldNames', 'textarea'),
  fixed('LogFileFieldTypes', 'textarea'),
  fixed('LogFile', 'base64'),
  fixed('Interval', 'picklist'),
  fixed('Sequence', 'int'),
]
