import { isObject, type Json } from '../../domain/index.ts'
import { type Context, compileValue, type Filters, type Path } from '../../expressions/index.ts'
import { int64Format, integerFormat, isIntegerText } from '../schema/schema.ts'

type Schema = Readonly<Record<string, Json>>

/** A compiled request body. A key whose value is absent is left out, and so is an object or a list of which nothing is left. */
export interface BodyPlan {
  readonly reads: readonly Path[]
  render(context: Context): Json | undefined
}

/**
 * Compiles a body. A string that is one `{{ input.… }}` whose input the schema calls `int64-string` or `integer-string` goes out as a JSON
 * number with all its digits; so do those within an object or list that is passed on whole.
 * @throws ExpressionError
 */
export function compileBody(body: Json, filters: Filters, input: Schema): BodyPlan {
  const template = compileValue(body, filters)
  const restored = namesIntegers(input) ? restorer(body, input) : unchanged
  return {
    reads: template.reads,
    render: (context) => {
      const rendered = template.render(context)
      if (rendered === undefined) return undefined
      // A body is sent even when nothing of it is left.
      return given(body, restored(rendered)) ?? (Array.isArray(rendered) ? [] : {})
    },
  }
}

/**
 * What of a rendered body was given. An object or a list of the skill's own whose values are all absent says nothing, and an external system
 * could read it as "none": it is left out. What an input holds is passed on as it is, empty or not.
 */
function given(template: Json, rendered: Json): Json | undefined {
  if (typeof template !== 'object' || template === null) return rendered
  if (Array.isArray(template)) {
    // Items that are absent are gone already; then it is not known which template an item came from.
    if (!Array.isArray(rendered) || rendered.length !== template.length) return leftOf(rendered)
    const items: Json[] = []
    for (const [at, item] of rendered.entries()) {
      const kept = given(template[at] as Json, item)
      if (kept !== undefined) items.push(kept)
    }
    return template.length === 0 ? items : leftOf(items)
  }
  if (!isObject(rendered)) return rendered
  const entries: [string, Json][] = []
  for (const [key, item] of Object.entries(rendered)) {
    const kept = given((template as Schema)[key] as Json, item)
    if (kept !== undefined) entries.push([key, kept])
  }
  return entries.length === 0 && Object.keys(template).length > 0 ? undefined : Object.fromEntries(entries)
}

function leftOf(items: Json): Json | undefined {
  return Array.isArray(items) && items.length === 0 ? undefined : items
}

function namesIntegers(schema: Schema): boolean {
  const text = JSON.stringify(schema)
  return text.includes(`"${int64Format}"`) || text.includes(`"${integerFormat}"`)
}

/**
 * The other way round: makes texts of the integers that an output's schema calls `int64-string` or `integer-string`, so that an id is a
 * text whether or not a double could hold it.
 */
export function integersAsTexts(schema: Schema): (value: Json) => Json {
  return namesIntegers(schema) ? (value) => withTexts(value, schema) : unchanged
}

function withTexts(value: Json, schema: Schema): Json {
  if (typeof value === 'number') return isIntegerText(schema['format']) && Number.isSafeInteger(value) ? String(value) : value
  if (Array.isArray(value)) {
    const { items } = schema
    return isObject(items) ? value.map((item) => withTexts(item, items)) : value
  }
  const { properties } = schema
  if (!isObject(value) || !isObject(properties)) return value
  return mapObject(value, (item, key) => {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined
    return isObject(own) ? withTexts(item, own) : item
  })
}

type Restore = (value: Json) => Json
const unchanged: Restore = (value) => value

/** What to do with a rendered body, by the template it came from. Lists of templates may lose items, so only their like items are looked into. */
function restorer(template: Json, input: Schema): Restore {
  if (typeof template === 'string') {
    const path = /^\{\{-?\s*input((?:\.\w+)*)\s*-?\}\}$/.exec(template)?.[1]
    const schema = path === undefined ? undefined : schemaAt(input, path.split('.').slice(1))
    return schema === undefined ? unchanged : (value) => withNumbers(value, schema)
  }
  if (typeof template !== 'object' || template === null) return unchanged
  if (Array.isArray(template)) {
    const items = (template as readonly Json[]).map((item) => restorer(item, input))
    return (value) => (Array.isArray(value) && value.length === items.length ? value.map((item, at) => (items[at] ?? unchanged)(item)) : value)
  }
  const keys = Object.fromEntries(Object.entries(template as Schema).map(([key, item]) => [key, restorer(item, input)]))
  return (value) => (isObject(value) ? mapObject(value, (item, key) => (keys[key] ?? unchanged)(item)) : value)
}

function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  let found: Json | undefined = schema
  for (const part of path) found = isObject(found) && isObject(found['properties']) ? found['properties'][part] : undefined
  return isObject(found) ? found : undefined
}

function withNumbers(value: Json, schema: Schema): Json {
  if (typeof value === 'string') return isIntegerText(schema['format']) && /^-?\d+$/.test(value) ? exactNumber(value) : value
  if (Array.isArray(value)) {
    const { items } = schema
    return isObject(items) ? value.map((item) => withNumbers(item, items)) : value
  }
  const { properties } = schema
  if (!isObject(value) || !isObject(properties)) return value
  return mapObject(value, (item, key) => {
    const own = properties[key]
    return isObject(own) ? withNumbers(item, own) : item
  })
}

/** A number that `JSON.stringify` writes with exactly these digits. */
function exactNumber(digits: string): Json {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(digits)
}

function mapObject(value: Schema, change: (item: Json, key: string) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]))
}
