/** A list in the output of a skill. */
export interface List {
  /** Where the output has it: a JSON pointer. Empty: the output is the list. */
  readonly place: string
  /** Where its items have texts and numbers, each with what the schema says about it. */
  readonly items: ReadonlyMap<string, string>
}

/** A schema from a plugin. Nothing has checked its shape. */
type Schema = Readonly<Record<string, unknown>>

/** The most lists and places that are offered, and the deepest level. A plugin may come from anybody. */
const [mostLists, mostPlaces, deepest] = [50, 300, 6]
const simple: ReadonlySet<unknown> = new Set(['string', 'number', 'integer'])

/** Finds the lists in the output schema of a skill: what a fetch can make alerts of. */
export function listsIn(output: unknown): readonly List[] {
  const lists: List[] = []
  walk(output, '', 0, (schema, place) => {
    if (!typesOf(schema).includes('array')) return
    const items = new Map<string, string>()
    walk(schema['items'], '', 0, (part, at) => {
      if (at !== '' && items.size < mostPlaces && typesOf(part).some((type) => simple.has(type)))
        items.set(at, typeof part['description'] === 'string' ? part['description'] : '')
    })
    if (lists.length < mostLists) lists.push({ place, items })
  })
  return lists
}

/** Calls `found` for a schema and for the properties of objects in it, not for those of lists. */
function walk(schema: unknown, place: string, depth: number, found: (schema: Schema, place: string) => void): void {
  if (!isObject(schema) || depth > deepest) return
  found(schema, place)
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  for (const [name, part] of Object.entries(properties)) walk(part, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1, found)
}

/** The types that the schema names. Values of an `enum` count too, because such a schema often names no type. */
function typesOf({ type, enum: values }: Schema): readonly unknown[] {
  if (type === undefined && Array.isArray(values)) return values.map((value) => typeof value)
  return Array.isArray(type) ? type : [type]
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a new fetch of a skill begins with, as far as its schema tells: the only list, and the id of its items. */
export function guessOf(output: unknown): { readonly items_at: string; readonly idempotency_key_at: string } {
  const lists = listsIn(output)
  const [only] = lists.length === 1 ? lists : []
  return { items_at: only?.place ?? '', idempotency_key_at: only?.items.has('/id') ? '/id' : '' }
}
