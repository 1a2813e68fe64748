import type { Json } from '../../domain/index.ts'
import type { SkillDocument } from '../grammar/index.ts'
import { titled } from './blank.ts'
import { type OpenApi, type Operation, textAt } from './document.ts'
import { inputsOf } from './inputs.ts'
import { oneLine } from './names.ts'
import { type ListSigns, listSignsOf } from './paging.ts'
import { type Remark, remarksOf } from './remarks.ts'
import { answerOf } from './responses.ts'
import { Schemas } from './schemas.ts'
import { soundSchema } from './sound.ts'

const longestTitle = 80
const longestPurpose = 200

/** A skill that was made from an operation. */
export interface DraftedSkill {
  readonly skill: SkillDocument
  readonly remarks: readonly Remark[]
  /** What its request may have, and Tocsin cannot send. */
  readonly leftOut: readonly string[]
}

/**
 * Makes a skill of an operation. A GET reads. Anything else may change something, so it is a write with high impact that is never sent again:
 * its author knows better.
 * @throws CannotDraft
 */
export function skillOf(document: OpenApi, operation: Operation, id: string): DraftedSkill {
  const reads = operation.method === 'get'
  const listing = listSignsOf(document, operation)
  const paging = listing?.paging ?? null
  const { schema, path, query, headers, body, leftOut, until } = inputsOf(document, operation, paging)
  const { output, result } = listing && paging ? outputOfListing(document, listing) : outputOf(document, operation)
  const target = reads ? null : targetIn(operation, path)
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
    ...(target !== null && { target }),
    input: schema,
    output,
    request: {
      method: operation.method.toUpperCase() as 'GET',
      path,
      ...(Object.keys(query).length > 0 && { query }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== null && { body }),
      ...(paging !== null && until !== null && { paginate: { ...paging.document, until } }),
      ...(result !== null && { result }),
    },
  }
  return { skill, remarks: remarksOf(skill, listing), leftOut }
}

/**
 * Returns what a write acts on: the thing that its path ends with. Null if the path ends otherwise, because then the thing may be something that
 * the write makes, or one in the body.
 */
function targetIn({ method, path: documented }: Operation, path: string): string | null {
  if (method === 'post' || !/\/\{[^{}/]+\}$/.test(documented)) return null
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns what a listing returns: the items of all pages. */
function outputOfListing(document: OpenApi, { list, schema }: ListSigns): Output {
  const name = list ?? 'items'
  const copy = soundSchema(new Schemas(document, false).copy(schema))
  return {
    output: { type: 'object', required: [name, 'truncated'], properties: { [name]: copy, truncated: { type: 'boolean' } } },
    result: { [name]: '{{ items }}', truncated: '{{ page.truncated }}' },
  }
}

/** Returns the first paragraph of a text in Markdown, without its links. */
function plainText(text: string): string {
  const [first = ''] = text.trim().split(/\n\s*\n/)
  return first.replace(/\[([^\][]*)\]\([^()\s]*\)/g, '$1')
}

interface Output {
  readonly output: { readonly [key: string]: Json }
  readonly result: Json
}

/** Returns what the skill returns. A body that is no object becomes `items` (a list) or `value`, because an output is an object. */
function outputOf(document: OpenApi, operation: Operation): Output {
  const { schema } = answerOf(document, operation)
  if (schema === null) return { output: { type: 'object' }, result: null }
  const copy = soundSchema(new Schemas(document, false).copy(schema))
  if (copy['type'] === 'object') return { output: copy, result: '{{ body }}' }
  const name = copy['type'] === 'array' ? 'items' : 'value'
  return { output: { type: 'object', properties: { [name]: copy } }, result: { [name]: '{{ body }}' } }
}
