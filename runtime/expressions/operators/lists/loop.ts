import type { Json } from '../../../domain/index.ts'
import { any, boolean, describe, isAny, isNever, show, type Type, without } from '../../typing/model/index.ts'
import { inLoop, type RuleUse } from '../../typing/rules/scope.ts'
import { kindOf } from '../../values.ts'
import { WorkExceeded } from '../../work.ts'
import { type Compile, type Evaluation, ofPart } from '../part.ts'

/** The work of an iteration, in addition to what is evaluated in it. */
const ofItem = 4

/** Makes the result of a loop, item by item. */
export interface Loop {
  /** @param value the result of the body for the item. @returns whether to go on */
  take(value: Json, item: Json): boolean
  result(): Json
}

export function compileLoop(name: string, begin: () => Loop): Compile {
  return ([list = null, body = null], compile) => {
    const items = compile(list)
    const part = compile(body)
    return (data, evaluation) => {
      const loop = begin()
      overItems(name, listIn(items(data, evaluation)), evaluation, (item) => loop.take(part(item, evaluation), item))
      return loop.result()
    }
  }
}

/** @throws Error if it is not a list. json-logic would take any other value for an empty list */
export function listIn(value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw new Error(`a loop needs a list, not ${kindOf(value)}`)
  return value as readonly Json[]
}

/** @param each returns whether to go on */
export function overItems(name: string, list: readonly Json[], { meter }: Evaluation, each: (item: Json) => boolean): void {
  let index = 0
  try {
    meter.charge(ofPart)
    for (; index < list.length; index += 1) {
      meter.charge(ofItem)
      if (!each(list[index] as Json)) return
    }
  } catch (error) {
    throw error instanceof WorkExceeded ? error.within(`item ${index + 1} of ${list.length} of \`${name}\``) : error
  }
}

/** Returns the type of the items that a loop goes through. Reports a first argument that is not a list or may be null. */
export function itemTypeOf({ name, args, place, scope, read, tell }: RuleUse): Type {
  const type = read(args[0] ?? null, place(0), scope)
  if (isAny(type)) return any
  if (type.list === null) {
    if (!isNever(type)) tell('operand_type', place(0), `\`${name}\` needs a list, not ${describe(without(type, 'null'))}`)
    return any
  }
  if (type.null) tell('value_may_be_null', place(0), `the list (${show(type)}) may be null, and \`${name}\` needs a list: {"or": [{"var": …}, []]}`)
  return isNever(type.list.items) ? any : type.list.items
}

/** Returns the types of the item and of the result of the body for it. */
export function typesOfBody(use: RuleUse): { readonly item: Type; readonly result: Type } {
  const item = itemTypeOf(use)
  return { item, result: use.read(use.args[1] ?? null, use.place(1), inLoop(item)) }
}

/** Types for a loop that tests items. */
export function typesOfTest(use: RuleUse): Type {
  typesOfBody(use)
  return boolean
}
