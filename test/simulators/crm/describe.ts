import type { Field } from './org/field.ts'
import { type ObjectType, objects } from './org/schema.ts'

/** Answers `GET sobjects`. */
export function globalDescribe(base: string): object {
  return { encoding: 'UTF-8', maxBatchSize: 200, sobjects: objects.map((object) => summary(object, base)) }
}

/** Answers `GET sobjects/{Type}`. */
export function basicInfo(object: ObjectType, base: string): object {
  return { objectDescribe: summary(object, base), recentItems: [] }
}

/** Answers `GET sobjects/{Type}/describe`. */
export function describe(object: ObjectType, base: string): object {
  const children = object.children.map(({ name, object: child, field }) => ({
    cascadeDelete: false,
    childSObject: child,
    deprecatedAndHidden: false,
    field,
    junctionIdListNames: [],
    junctionReferenceTo: [],
    relationshipName: name,
    restrictedDelete: false,
  }))
  return { ...summary(object, base), childRelationships: children, fields: object.fields.map(described), recordTypeInfos: [] }
}

function summary({ name, label, plural, prefix, createable, updateable, deletable }: ObjectType, base: string): object {
  const url = `${base}/sobjects/${name}`
  return {
    activateable: false,
    createable,
    custom: name.endsWith('__c'),
    customSetting: false,
    deletable,
    deprecatedAndHidden: false,
    feedEnabled: false,
    keyPrefix: prefix,
    label,
    labelPlural: plural,
    layoutable: createable,
    mergeable: false,
    mruEnabled: false,
    name,
    queryable: true,
    replicateable: createable,
    retrieveable: true,
    searchable: createable,
    triggerable: createable,
    undeletable: deletable,
    updateable,
    urls: { sobject: url, describe: `${url}/describe`, rowTemplate: `${url}/{ID}` },
  }
}

const soapTypes: Readonly<Record<string, string>> = {
  id: 'tns:ID',
  reference: 'tns:ID',
  boolean: 'xsd:boolean',
  double: 'xsd:double',
  currency: 'xsd:double',
  int: 'xsd:int',
  datetime: 'xsd:dateTime',
  base64: 'xsd:base64Binary',
}

function described(field: Field): object {
  const {
    name,
    type,
    label,
    length,
    createable,
    updateable,
    required,
    unique,
    externalId,
    filterable,
    sortable,
    groupable,
    values = [],
    refersTo,
    relationship,
  } = field
  return {
    aggregatable: groupable,
    autoNumber: name === 'CaseNumber',
    byteLength: length * 3,
    calculated: false,
    createable,
    custom: name.endsWith('__c'),
    defaultedOnCreate: field.default !== undefined,
    deprecatedAndHidden: false,
    externalId,
    filterable,
    groupable,
    idLookup: externalId || type === 'id',
    label,
    length,
    name,
    nameField: name === 'Name',
    nillable: !required && type !== 'id' && type !== 'boolean',
    picklistValues: values.map((value) => ({ active: true, defaultValue: value === field.default, label: value, validFor: null, value })),
    referenceTo: refersTo === undefined ? [] : [refersTo],
    relationshipName: relationship ?? null,
    restrictedPicklist: values.length > 0,
    soapType: soapTypes[type] ?? 'xsd:string',
    sortable,
    type,
    unique,
    updateable,
  }
}
