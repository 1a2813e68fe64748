import { hint, type Misspelling, misspelling } from '../../../yaml/index.ts'
import { describe } from './show.ts'
import { absent, any, has, integer, isAny, isNever, isOfAny, nullType, optional, type Type, text, union, without } from './type.ts'

/** What is wrong with reading a member. */
interface MemberFault {
  readonly code: 'unknown_member' | 'undeclared_member' | 'no_members'
  readonly message: string
  /** Set if the name is certainly a misspelling. */
  readonly misspelt?: Misspelling
}

export interface Member {
  /** `any` if there is a fault, so that one mistake is reported once. */
  readonly type: Type
  readonly fault: MemberFault | null
}

/** The language of the expression. Templates have `size`, `first` and `last`, and a member of null is null. In conditions it is missing. */
export type Language = 'template' | 'condition'

/**
 * Returns the type of a member of a value: an own property, a list item, or what Liquid computes.
 * @param base the name of the value, for messages
 */
export function memberOf(type: Type, key: string, language: Language, base: string): Member {
  if (isNever(type)) return { type: absent, fault: null }
  if (isAny(type)) return { type: optional(type.object?.rest ?? any, type.absence), fault: null }
  const found = membersOf(type, key, language)
  const fault = faultOf(type, key, language, base, found)
  if (fault !== null) return { type: { ...any, absence: type.absence === 'no' ? 'no' : 'unsaid' }, fault }
  return { type: optional(found, type.absence), fault: null }
}

const isIndex = (key: string): boolean => /^(?:0|[1-9]\d*)$/.test(key)

function membersOf(type: Type, key: string, language: Language): Type {
  if (type.object !== null && isOfAny(type)) return type.object.fields.get(key) ?? type.object.rest
  const parts: Type[] = []
  const template = language === 'template'
  const counted = template && (key === 'size' || key === 'length')
  if (type.null) parts.push(template ? nullType : absent)
  if (type.boolean.length > 0 || type.number !== null) parts.push(absent)
  if (type.text !== null) parts.push(counted ? integer : template && isIndex(key) ? optional(text) : absent)
  if (type.list !== null) parts.push(counted ? integer : itemOf(type.list, key, template))
  if (type.object !== null) {
    const field = type.object.fields.get(key)
    parts.push(field ?? (template && key === 'size' ? integer : type.object.rest))
  }
  return parts.reduce(union)
}

function itemOf({ items, least }: NonNullable<Type['list']>, key: string, template: boolean): Type {
  const index = isIndex(key) ? Number(key) : template && (key === 'first' || key === 'last') ? 0 : null
  if (index === null) return absent
  return isNever(items) ? absent : optional(items, index < least ? 'no' : 'maybe')
}

function faultOf(type: Type, key: string, language: Language, base: string, found: Type): MemberFault | null {
  const { object } = type
  const unnamed = object !== null && !object.fields.has(key) && object.others !== 'open' && !(language === 'template' && key === 'size')
  if (unnamed && (isNever(without(found, 'null')) || object.others === 'declared')) {
    const names = [...object.fields.keys()]
    const near = hint(key, names)
    const known = near === '' && names.length > 0 ? `; its members are ${names.slice(0, 20).join(', ')}` : near
    if (object.others === 'closed' || near !== '') {
      return { code: 'unknown_member', message: `\`${base}\` has no member \`${key}\`${known}`, ...misspelling(key, names) }
    }
    return { code: 'undeclared_member', message: `nothing says that \`${base}\` has a member \`${key}\`${known}` }
  }
  if (object !== null || isNever(without(type, 'null'))) return null
  // If the value may also be null, only its other kinds are checked here.
  if (!isNever(type.null ? membersOf(without(type, 'null'), key, language) : found)) return null
  return { code: 'no_members', message: noMembers(type, key, language, base) }
}

function noMembers(type: Type, key: string, language: Language, base: string): string {
  const kind = `\`${base}\` is ${describe(without(type, 'null'))}`
  if (has(type, 'list') && key === '' && language === 'template')
    return `${kind}; \`[*]\` does not exist in templates: \`{{ ${base} | map: 'member' }}\` gives a member of every item`
  if (has(type, 'list') && /^-\d+$/.test(key)) return `${kind}, whose indexes begin with 0; its last item is \`${base}.last\``
  if (!has(type, 'list')) return `${kind}, which has no member \`${key}\``
  if (isIndex(key)) return `${kind} without items`
  const ways =
    language === 'template' ? `\`${base}.first.${key}\`, \`{{ ${base} | map: '${key}' }}\` or a loop` : `an index, or \`some\`, \`all\`, \`map\``
  return `${kind}, which has no member \`${key}\`; read its items with ${ways}`
}
