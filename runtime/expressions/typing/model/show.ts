import { has, isAny, isNever, kindsOf, type ObjectType, type TextType, type Type } from './type.ts'

const mostValues = 6
const mostFields = 6

/** Returns a type in a few words, for messages: `text (email)`, `"open" or "closed"`, `list of object`, `number or null`. */
export function show(type: Type): string {
  if (isAny(type)) return 'anything'
  if (isNever(type)) return 'nothing'
  return kindsOf(type)
    .flatMap((kind): readonly string[] => {
      switch (kind) {
        case 'null':
          return ['null']
        case 'boolean':
          return [type.boolean.length === 1 ? String(type.boolean[0]) : 'boolean']
        case 'number':
          return shown(type.number?.values ?? null) ?? [type.number?.integer === true ? 'integer' : 'number']
        case 'text':
          return type.text === null ? [] : (shown(type.text.values) ?? [textName(type.text)])
        case 'list':
          return [listName(type)]
        default:
          return type.object === null ? [] : [objectName(type.object)]
      }
    })
    .sort((a, b) => Number(a === 'null') - Number(b === 'null'))
    .join(' or ')
}

/** Returns a type with its article, for "is a text (email)". */
export function describe(type: Type): string {
  const details = show(type)
  const kinds = showKinds(type)
  // Values need no article. If only the kind is known, `showKinds` says it already.
  if (isAny(type) || /^(?:["\d-]|true$|false$)/.test(details) || isNever(type)) return details
  const bare = kinds.replaceAll(/\ban? /g, '')
  return bare === details ? kinds : kindsOf(type).length === 1 ? `${/^[aeiou]/.test(details) ? 'an' : 'a'} ${details}` : details
}

/** Returns the kinds of a type with their articles, for "is a text". The same words as in the errors of a run. */
export function showKinds(type: Type): string {
  const words = { null: 'null', boolean: 'a boolean', number: 'a number', text: 'a text', list: 'a list', object: 'an object' } as const
  if (isAny(type)) return 'anything'
  const names = kindsOf(type).map((kind) => words[kind])
  return names.length === 0 ? 'nothing' : [...names.filter((name) => name !== 'null'), ...names.filter((name) => name === 'null')].join(' or ')
}

function shown(values: readonly (string | number)[] | null): readonly string[] | null {
  return values === null || values.length === 0 || values.length > mostValues ? null : values.map((value) => JSON.stringify(value))
}

function textName({ format, semantic }: TextType): string {
  const more = semantic ?? format
  return more === null ? 'text' : `text (${more})`
}

function listName({ list }: Type): string {
  if (list === null || isNever(list.items)) return 'empty list'
  return isAny(list.items)
    ? 'list'
    : `list of ${has(list.items, 'null') || kindsOf(list.items).length > 1 ? `(${show(list.items)})` : show(list.items)}`
}

function objectName({ fields }: ObjectType): string {
  const names = [...fields.keys()]
  if (names.length === 0) return 'object'
  return `object (${names.slice(0, mostFields).join(', ')}${names.length > mostFields ? ', …' : ''})`
}
