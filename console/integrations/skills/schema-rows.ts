/** One field of a skill's input or output. */
export interface SchemaRow {
  /** `users[].state` */
  readonly path: string
  readonly type: string
  readonly required: boolean
  readonly description: string
}

/** A schema from a plugin: foreign, so nothing about its shape is certain. */
type Schema = Readonly<Record<string, unknown>>

/** The most rows, and the deepest level. A plugin may come from anybody. */
const mostRows = 300
const deepest = 8

/** Returns a row for each field of a JSON Schema, in its order, the fields of objects after the object. */
export function schemaRows(schema: unknown): readonly SchemaRow[] {
  const rows: SchemaRow[] = []
  collect(schema, '', 0, rows)
  return rows
}

function collect(value: unknown, path: string, depth: number, rows: SchemaRow[]): void {
  if (!isObject(value) || depth > deepest) return
  const required = Array.isArray(value['required']) ? (value['required'] as readonly unknown[]) : []
  for (const [name, inner] of Object.entries(isObject(value['properties']) ? value['properties'] : {})) {
    if (rows.length >= mostRows) return
    const at = path === '' ? name : `${path}.${name}`
    const schema = isObject(inner) ? inner : {}
    const items = isObject(schema['items']) ? schema['items'] : null
    const here = items ? `${at}[]` : at
    rows.push({ path: here, type: typeOf(items ?? schema), required: required.includes(name), description: textOf(schema['description']) })
    collect(items ?? schema, here, depth + 1, rows)
  }
}

function typeOf(schema: Schema): string {
  const { type, enum: values, const: only, format } = schema
  if (Array.isArray(values)) return values.map(String).join(', ')
  if (only !== undefined) return String(only)
  const types = Array.isArray(type) ? type.map(String).join(' or ') : textOf(type)
  return typeof format === 'string' ? `${types} (${format})` : types === '' ? 'anything' : types
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
