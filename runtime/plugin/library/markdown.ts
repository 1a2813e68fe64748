import type { Json } from '../../domain/index.ts'

type Schema = Readonly<Record<string, Json>>

/** Returns a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}

/**
 * Describes the fields of an object's schema as a table. Fields of nested objects and lists follow
 * their parent (`issues[].id`).
 */
export function describeSchema(schema: Schema): string {
  const rows = rowsOf(schema, '')
  return rows.length === 0 ? 'None.' : table(['Field', 'Type', 'Needed', 'Meaning'], rows)
}

function rowsOf(schema: Schema, prefix: string): string[][] {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(objectOf(schema['properties'])).flatMap(([name, property]) => {
    const field = objectOf(property)
    const path = `${prefix}${name}`
    const items = objectOf(field['items'])
    return [
      [`\`${path}\``, typeOf(field), required.includes(name) ? 'yes' : '', meaningOf(field)],
      ...rowsOf(field, `${path}.`),
      ...rowsOf(items, `${path}[].`),
    ]
  })
}

function typeOf(field: Schema): string {
  if (field['enum'] !== undefined) return (field['enum'] as readonly Json[]).map(String).join(', ')
  if (field['const'] !== undefined) return String(field['const'])
  const type = [field['type'] ?? 'any'].flat().join(' or ')
  if (type === 'array' && field['items'] !== undefined) return `list of ${typeOf(objectOf(field['items']))}`
  return typeof field['format'] === 'string' ? `${type} (${field['format']})` : type
}

function meaningOf(field: Schema): string {
  const { description, default: standard, examples } = field
  const parts = [
    ...(typeof description === 'string' ? [description] : []),
    ...(Array.isArray(examples)
      ? [`For example ${examples.map((example) => `\`${typeof example === 'string' ? example : JSON.stringify(example)}\``).join(', ')}.`]
      : []),
    ...(standard === undefined ? [] : [`Default ${JSON.stringify(standard)}.`]),
  ]
  return parts.join(' ')
}

function objectOf(value: Json | undefined): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}
