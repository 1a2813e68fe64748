import ipaddr from 'ipaddr.js'
import { isObject, type Json } from '../../domain/index.ts'
import type { Substitutes } from './substitutes.ts'

type Schema = { readonly [key: string]: Json }

const email = /[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,}/g
const uuid = /\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b/g
const url = /\bhttps?:\/\/([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)/g
const ipv4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g
const ipv6 = /(?<![\w:])(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}(?![\w:])/g
const phone = /(?<![\w.])\+\d[\d ()./-]{6,}\d\b/g
/** Matches long words that mix letters and digits: tokens, keys, message ids, hashes. */
const opaque = /\b(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[A-Za-z])[A-Za-z0-9_-]{16,}\b/g

const personKeys =
  /^(?:(?:first|last|full|given|family|middle|display|real|user|nick|person|employee|owner|manager|reporter|sender)_?name|fname|lname|surname|reported_by|created_by|modified_by|approved_by)$/i
const personHolders =
  /^(?:user|users|person|people|employee|employees|owner|owners|manager|reporter|sender|recipient|recipients|actor|contact|contacts|creator|approver|assignee)$/i
const hostKeys = /(?:^|_)(?:host|hostname|domain|computer|device_?name|machine|fqdn|server|workstation)s?$/i
const phoneKeys = /(?:^|_)(?:phone|mobile|tel|telephone|fax)(?:_?number)?s?$|phone_?number$/i
const idKeys = /(?:^|_)(?:id|ids|uuid|guid|serial|serial_?number|imei|ssn|account_?number)$|(?:Id|Ids|Uuid|Guid)$/
const secretKeys = /token|secret|passw|api_?key|authorization|cookie|credential|otp|pin_?code/i
/** Shorter values are not replaced, because they could occur anywhere with another meaning. */
const leastId = 6
const leastName = 3

/**
 * Adds the personal data and secrets in a value to `substitutes`, so that they are replaced
 * everywhere.
 *
 * @param schema the schema of the value, if it has one
 */
export function findPersonal(value: Json, substitutes: Substitutes, schema: Schema | null = null): void {
  look(value, { key: '', holder: '', schema, root: schema }, substitutes)
}

interface Place {
  /** The member that holds the value. For an item of a list: the member that holds the list. */
  readonly key: string
  /** The member around that one. */
  readonly holder: string
  readonly schema: Schema | null
  readonly root: Schema | null
}

function resolved(schema: Json | undefined, root: Schema | null): Schema | null {
  if (!isObject(schema)) return null
  const { $ref } = schema
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return schema
  const target = $ref
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((at, part) => (isObject(at) ? at[part] : undefined), root ?? undefined)
  return isObject(target) ? target : null
}

function look(value: Json, place: Place, substitutes: Substitutes): void {
  const { key, holder, schema, root } = place
  if (typeof value === 'string') return lookAtText(value, place, substitutes)
  if (typeof value === 'number') {
    const text = String(value)
    if (Number.isSafeInteger(value) && text.length >= leastId && (idKeys.test(key) || phoneKeys.test(key))) substitutes.add(text, 'phone')
    return
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) look(item, { key, holder, schema: resolved(schema?.['items'], root), root }, substitutes)
    return
  }
  if (!isObject(value)) return
  const properties = schema?.['properties']
  for (const [name, member] of Object.entries(value)) {
    look(member, { key: name, holder: key, schema: resolved(isObject(properties) ? properties[name] : undefined, root), root }, substitutes)
  }
}

function lookAtText(text: string, { key, holder, schema }: Place, substitutes: Substitutes): void {
  // One of a fixed set of values is not personal.
  if (schema?.['enum'] !== undefined || schema?.['const'] !== undefined) return
  for (const [found] of text.matchAll(email)) substitutes.add(found, 'email')
  for (const [found] of text.matchAll(uuid)) substitutes.add(found, 'uuid')
  for (const [found] of [...text.matchAll(ipv4), ...text.matchAll(ipv6)]) if (ipaddr.isValid(found)) substitutes.add(found, 'ip')
  for (const [, host = ''] of text.matchAll(url)) if (!ipaddr.isValid(host)) substitutes.add(host, 'host')
  for (const [found] of text.matchAll(phone)) substitutes.add(found, 'phone')
  for (const [found] of text.matchAll(opaque)) if (!isTime(found)) substitutes.add(found, 'opaque')
  lookAtField(text, key, holder, String(schema?.['x-semantic'] ?? ''), substitutes)
}

/** Adds values that only their field's name shows to be personal. */
function lookAtField(text: string, key: string, holder: string, semantic: string, substitutes: Substitutes): void {
  const whole = text.trim()
  if (whole === '' || whole.length > 200) return
  if (secretKeys.test(key) && whole.length >= leastId) return substitutes.add(whole, 'opaque')
  if (isPerson(key, holder) && whole.length >= leastName && !whole.includes('@')) return substitutes.add(whole, 'person')
  if ((hostKeys.test(key) || semantic === 'domain' || semantic === 'hostname') && /^[\w.-]+$/.test(whole) && !ipaddr.isValid(whole))
    return substitutes.add(whole, 'host')
  if (phoneKeys.test(key) && /\d{5}/.test(whole.replaceAll(/\D/g, ''))) return substitutes.add(whole, 'phone')
  if ((idKeys.test(key) || /_id$/.test(semantic)) && whole.length >= leastId && /^\S+$/.test(whole) && /\d/.test(whole))
    substitutes.add(whole, 'opaque')
}

function isPerson(key: string, holder: string): boolean {
  return personKeys.test(key) || (/^name$/i.test(key) && personHolders.test(holder))
}

function isTime(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(text)
}
