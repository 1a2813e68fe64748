import { isObject, type Json } from '../../domain/index.ts'
import { messageOf, TocsinError } from '../../errors/index.ts'
import { yaml } from '../../packages/index.ts'

export type JsonObject = { readonly [key: string]: Json }

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** An operation of a document. */
export interface Operation {
  /** `operationId`, or the method and the path. */
  readonly name: string
  readonly method: (typeof methods)[number]
  readonly path: string
  readonly body: JsonObject
  /** The parameters of its path and its own. Its own take precedence. */
  readonly parameters: readonly JsonObject[]
  /** Its own servers, or those of its path. Empty: those of the document. */
  readonly servers: readonly Json[]
}

/** How many references may lead to one another. */
const longestChain = 20

/** An OpenAPI document 3.0 or 3.1. */
export class OpenApi {
  readonly root: JsonObject
  readonly operations: readonly Operation[]

  /**
   * @param text JSON or YAML
   * @param file its name, for messages
   * @throws TocsinError `openapi_invalid`
   */
  constructor(text: string, file: string) {
    this.root = parsed(text, file)
    const version = this.root['openapi']
    if (this.root['swagger'] !== undefined) throw refusal(file, 'It is a Swagger 2.0 document. Convert it to OpenAPI 3 first.')
    if (typeof version !== 'string' || !/^3\.[01]\b/.test(version)) throw refusal(file, '`openapi` must be 3.0 or 3.1.')
    this.operations = Object.entries(objectAt(this.root, 'paths')).flatMap(([path, item]) => this.#operationsAt(path, this.resolve(item)))
    if (this.operations.length === 0) throw refusal(file, '`paths` has no operation.')
  }

  /** The version of the API. Null: the document does not say. YAML reads one without quotes as a number. */
  get version(): string | null {
    const info = objectAt(this.root, 'info')
    const { version } = info
    return typeof version === 'number' ? String(version) : textAt(info, 'version')
  }

  /** Follows references inside the document. Anything else than an object is an empty one. */
  resolve(value: Json | undefined): JsonObject {
    let found = value
    for (let hops = 0; hops < longestChain; hops++) {
      if (!isObject(found)) return {}
      const ref = found['$ref']
      if (typeof ref !== 'string') return found
      found = this.#at(ref)
    }
    return {}
  }

  #at(ref: string): Json | undefined {
    if (!ref.startsWith('#/')) return undefined
    let found: Json | undefined = this.root
    for (const part of ref.slice(2).split('/')) {
      if (!isObject(found)) return undefined
      found = found[decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    return found
  }

  #operationsAt(path: string, item: JsonObject): Operation[] {
    const shared = this.#parametersOf(item)
    return methods.flatMap((method) => {
      const body = item[method]
      if (!isObject(body)) return []
      const own = this.#parametersOf(body)
      const keyOf = (one: JsonObject): string => `${one['in']} ${one['name']}`
      const parameters = new Map([...shared, ...own].map((one) => [keyOf(one), one]))
      const id = body['operationId']
      const name = typeof id === 'string' ? id : `${method} ${path}`
      const servers = [body, item].map((one) => listAt(one, 'servers')).find(({ length }) => length > 0) ?? []
      return [{ name, method, path, body, parameters: [...parameters.values()], servers }]
    })
  }

  #parametersOf(holder: JsonObject): readonly JsonObject[] {
    return listAt(holder, 'parameters').map((one) => this.resolve(one))
  }
}

function parsed(text: string, file: string): JsonObject {
  let value: unknown
  try {
    value = /^\s*\{/.test(text) ? JSON.parse(text) : yaml().parse(text, { maxAliasCount: 100 })
  } catch (error) {
    throw refusal(file, messageOf(error), error)
  }
  if (!isObject(value as Json)) throw refusal(file, 'It is not an object.')
  return value as JsonObject
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function refusal(file: string, detail: string, cause?: unknown): TocsinError {
  return new TocsinError('openapi_invalid', `${file}: ${detail}`, [], { cause })
}

export function objectAt(holder: JsonObject, key: string): JsonObject {
  const value = holder[key]
  return isObject(value) ? value : {}
}

export function listAt(holder: JsonObject, key: string): readonly Json[] {
  const value = holder[key]
  return Array.isArray(value) ? value : []
}

export function textAt(holder: JsonObject, key: string): string | null {
  const value = holder[key]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
