import type { Json } from '../../domain/index.ts'
import type { SkillDocument } from '../grammar/index.ts'
import { titled } from './blank.ts'
import { type OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { inputsOf, isJson } from './inputs.ts'
import { oneLine } from './names.ts'
import { Schemas } from './schemas.ts'
import { soundSchema } from './sound.ts'

const longestTitle = 80
const longestPurpose = 200

/**
 * Makes a skill of an operation. A GET reads. Anything else may change something, so it is a write with high impact that is never sent again:
 * its author knows better.
 * @throws CannotDraft
 */
export function skillOf(document: OpenApi, operation: Operation, id: string): { readonly skill: SkillDocument; readonly leftOut: readonly string[] } {
  const reads = operation.method === 'get'
  const { schema, path, query, headers, body, leftOut } = inputsOf(document, operation)
  const { output, result } = outputOf(document, operation)
  const summary = textAt(operation.body, 'summary')
  const purpose = textAt(operation.body, 'description') ?? summary ?? `${operation.method.toUpperCase()} ${operation.path}`
  const skill: SkillDocument = {
    format: 1,
    id,
    title: oneLine(summary ?? titled(id), longestTitle),
    purpose: oneLine(plainText(purpose), longestPurpose),
    category: reads ? 'investigation' : 'administration',
    impact: reads ? 'read' : 'high',
    api: document.version ?? '1',
    ...(!reads && { idempotent: { by: 'none' } }),
    input: schema,
    output,
    request: {
      method: operation.method.toUpperCase() as 'GET',
      path,
      ...(Object.keys(query).length > 0 && { query }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== null && { body }),
      ...(result !== null && { result }),
    },
  }
  return { skill, leftOut }
}

/** Returns the first paragraph of a text in Markdown, without its links. */
function plainText(text: string): string {
  const [first = ''] = text.trim().split(/\n\s*\n/)
  return first.replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
}

/** Returns what the skill returns. A body that is no object becomes `items` (a list) or `value`, because an output is an object. */
function outputOf(document: OpenApi, { body }: Operation): { readonly output: { readonly [key: string]: Json }; readonly result: Json } {
  const schemas = new Schemas(document, false)
  const good = Object.entries(objectAt(body, 'responses')).find(([status]) => /^2(\d\d|XX)$/i.test(status))?.[1]
  const content = objectAt(document.resolve(good), 'content')
  const json = Object.entries(content).find(([type]) => isJson(type))?.[1]
  if (json === undefined) return { output: { type: 'object' }, result: null }
  const copy = soundSchema(schemas.copy(document.resolve(json)['schema']))
  if (copy['type'] === 'object') return { output: copy, result: '{{ body }}' }
  const name = copy['type'] === 'array' ? 'items' : 'value'
  return { output: { type: 'object', properties: { [name]: copy } }, result: { [name]: '{{ body }}' } }
}
