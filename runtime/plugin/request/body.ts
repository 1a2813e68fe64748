import { isObject, type Json } from '../../domain/index.ts'
import { type Context, compileValue, type Filters, type Path } from '../../expressions/index.ts'
import { int64Format, integerFormat, isIntegerText } from '../schema/schema.ts'

type Schema = Readonly<Record<string, Json>>

/**
 * A compiled request body. A key whose value is absent is left out. So is an object or a list that
 * becomes empty because of that.
 */
export interface BodyPlan {
  readonly reads: readonly Path[]
  render(context: Context): Json | undefined
}

/**
 * Compiles a body. If a string is just one `{{ input.… }}`, and the schema gives that input the
 * format `int64-string` or `integer-string`, it is sent as a JSON number with all its digits. The
 * same goes for such strings inside an object or list that is passed on whole.
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
      // A body is sent even if nothing is left in it.
      return given(body, restored(rendered)) ?? (Array.isArray(rendered) ? [] : {})
    },
  }
}

/**
 * Leaves out objects and lists of the template whose values are all absent. An external system
 * could read an empty one as "none". Values of the input are passed on as they are, empty or not.
 */
function given(template: Json, rendered: Json): Json | undefined {
  if (typeof template !== 'object' || template === null) return rendered
  if (Array.isArray(template)) {
    // Absent items have already been removed. If any were, items can no longer be matched with their
    // templates.
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
 * Returns a function that makes strings of integers in an output, if its schema calls them
 * `int64-string` or `integer-string`. So an id is always a string, whether or not a double could
 * hold it.
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

/**
 * Returns how to restore the integers in a rendered body, following its template. If a list has
 * lost items, it is left as it is.
 */
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

/** Returns a number that `JSON.stringify` writes with exactly these digits. */
function exactNumber(digits: string): Json {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : (JSON as unknown as { rawJSON(text: string): Json }).rawJSON(digits)
}

function mapObject(value: Schema, change: (item: Json, key: string) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item, key)]))
}
