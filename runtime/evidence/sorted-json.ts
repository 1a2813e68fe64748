import { isObject, type Json } from '../domain/index.ts'

/** Returns a value as JSON whose objects have their members in order of their names. Equal values become equal texts, whatever store they were in. */
export function sortedJson(value: Json): string {
  return JSON.stringify(value, (_name, each: Json) => (isObject(each) ? sorted(each) : each))
}

function sorted(members: { readonly [name: string]: Json }): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
