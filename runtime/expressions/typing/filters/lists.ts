import {
  any,
  boolean,
  integer,
  isAny,
  isNever,
  type Kind,
  list,
  listOf,
  never,
  nullable,
  number,
  objectOf,
  only,
  optional,
  present,
  type Type,
  text,
  union,
  unionOf,
  without,
} from '../model/index.ts'
import { constantOf, type FilterCall, type FilterSignature, lists, type Shape, signature } from '../../filters/signature.ts'

const name: readonly Kind[] = ['text']
const textual: readonly Kind[] = ['text', 'number', 'boolean']
const numeric: readonly Kind[] = ['number']
const listsOrTexts: Shape = { takes: ['list', 'text'], needs: 'a list or a text' }

/** What the list holds: Liquid takes nothing for an empty list and anything else for a list of one. */
export function itemsOf(input: Type): Type {
  if (isAny(input)) return any
  const others = without(input, 'null', 'list')
  return union(input.list?.items ?? never, isNever(others) ? never : present(others))
}

function same({ input }: FilterCall): Type {
  return listOf(itemsOf(input), isNever(without(input, 'list')) ? (input.list?.least ?? 0) : 0)
}

function fewer({ input }: FilterCall): Type {
  return listOf(itemsOf(input))
}

/** An item without the member has null there. */
function memberOfItems(call: FilterCall, items = itemsOf(call.input)): Type {
  const path = constantOf(call.args[0])
  if (path === null || isNever(items)) return any
  const member = call.member(items, path)
  return member.absence === 'no' ? member : nullable(present(member))
}

/** `where` and its like choose among objects; one without the member does not match. */
function chosenBy(result: (items: Type, member: Type) => Type): (call: FilterCall) => Type {
  return (call) => {
    const items = call.objects(itemsOf(call.input))
    return result(items, memberOfItems(call, items))
  }
}

function end({ input }: FilterCall): Type {
  const parts: Type[] = []
  if (input.list !== null) parts.push(input.list.least > 0 ? input.list.items : optional(input.list.items))
  if (!isNever(without(input, 'list'))) parts.push(text)
  return isAny(input) ? any : unionOf(parts)
}

function defaulted({ input, args, named }: FilterCall): Type {
  const [fallback = any] = args
  if (isAny(input)) return any
  const kept: Type = {
    ...without(input, 'null'),
    boolean: input.boolean.filter((value) => value || named.has('allow_false')),
    text: input.text?.values == null ? input.text : textsBut(input.text, ''),
    list: input.list === null ? null : { ...input.list, least: Math.max(input.list.least, 1) },
  }
  const empty = input.list !== null && isNever(input.list.items) ? without(kept, 'list') : kept
  return union(present(empty), fallback)
}

function textsBut(type: NonNullable<Type['text']>, dropped: string): Type['text'] {
  const values = type.values?.filter((value) => value !== dropped) ?? null
  return values?.length === 0 ? null : { ...type, values }
}

function slice(call: FilterCall): Type {
  const { input } = call
  if (isAny(input)) return any
  return union(
    input.list === null && !input.null ? never : listOf(input.list?.items ?? never),
    isNever(without(input, 'list', 'null')) ? never : text,
  )
}

const groups = (items: Type, name: Type): Type => listOf(objectOf({ name, items: listOf(items, 1) }))

export const listFilters: Readonly<Record<string, FilterSignature>> = {
  default: signature({ takes: ['null', 'boolean', 'number', 'text', 'list', 'object'], needs: 'a value' }, [null], defaulted),
  size: signature(listsOrTexts, [], () => integer),
  first: signature(listsOrTexts, [], end),
  last: signature(listsOrTexts, [], end),
  slice: signature(listsOrTexts, [numeric, numeric], slice, { least: 1 }),
  join: signature(lists, [textual], () => text, { least: 0 }),
  map: signature(lists, [name], (call) => listOf(memberOfItems(call))),
  sum: signature(
    lists,
    [name],
    (call) => {
      if (call.args.length > 0) memberOfItems(call)
      return number
    },
    { least: 0 },
  ),
  sort: signature(
    lists,
    [name],
    (call) => {
      if (call.args.length > 0) memberOfItems(call)
      return same(call)
    },
    { least: 0 },
  ),
  sort_natural: signature(
    lists,
    [name],
    (call) => {
      if (call.args.length > 0) memberOfItems(call)
      return same(call)
    },
    { least: 0 },
  ),
  reverse: signature(lists, [], same),
  uniq: signature(lists, [], same),
  compact: signature(lists, [], ({ input }) => listOf(without(itemsOf(input), 'null'))),
  concat: signature(lists, [['list']], ({ input, args }) => listOf(union(itemsOf(input), itemsOf(args[0] ?? list)))),
  push: signature(lists, [null], ({ input, args }) => listOf(union(itemsOf(input), args[0] ?? any), 1)),
  unshift: signature(lists, [null], ({ input, args }) => listOf(union(itemsOf(input), args[0] ?? any), 1)),
  pop: signature(lists, [], fewer),
  shift: signature(lists, [], fewer),
  where: signature(
    lists,
    [name, null],
    chosenBy((items) => listOf(items)),
    { least: 1 },
  ),
  reject: signature(
    lists,
    [name, null],
    chosenBy((items) => listOf(items)),
    { least: 1 },
  ),
  has: signature(
    lists,
    [name, null],
    chosenBy(() => boolean),
    { least: 1 },
  ),
  find: signature(
    lists,
    [name, null],
    chosenBy((items) => optional(items)),
    { least: 1 },
  ),
  find_index: signature(
    lists,
    [name, null],
    chosenBy(() => optional(integer)),
    { least: 1 },
  ),
  group_by: signature(lists, [name], chosenBy(groups)),
  max_by: signature(
    lists,
    [name],
    (call) => {
      const path = constantOf(call.args[0])
      const items = only(call.objects(itemsOf(call.input)), 'object')
      // A dot in it is not a path here.
      if (path !== null && !isNever(items) && !path.includes('.')) call.neededMember(items, path)
      return (call.input.list?.least ?? 0) > 0 ? itemsOf(call.input) : optional(itemsOf(call.input))
    },
    { failsOnNull: true },
  ),
}
