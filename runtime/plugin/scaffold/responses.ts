import type { Json } from '../../domain/index.ts'
import { type OpenApi, type Operation, objectAt } from './document.ts'
import { isJson } from './media-types.ts'

/** What a document says about the successful answer of an operation. */
export interface DocumentedAnswer {
  /** The schema of its JSON. Null: it is no JSON. */
  readonly schema: Json | null
  /** The names of its headers. */
  readonly headers: readonly string[]
}

export function answerOf(document: OpenApi, { body }: Operation): DocumentedAnswer {
  const good = document.resolve(Object.entries(objectAt(body, 'responses')).find(([status]) => /^2(\d\d|XX)$/i.test(status))?.[1])
  const json = Object.entries(objectAt(good, 'content')).find(([type]) => isJson(type))?.[1]
  return { schema: json === undefined ? null : (document.resolve(json)['schema'] ?? {}), headers: Object.keys(objectAt(good, 'headers')) }
}
