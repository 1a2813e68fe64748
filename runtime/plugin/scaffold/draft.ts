import { TocsinError } from '../../errors/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import { keyRefused, titled } from './blank.ts'
import { listAt, OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { manifestFile, type NewFile, skillFile } from './files.ts'
import { CannotDraft } from './inputs.ts'
import { Names, nameOf, oneLine } from './names.ts'
import { securityOf } from './security.ts'
import { skillOf } from './skills.ts'

/** How many operations become skills at most. A plugin with more is slow to load, and nobody reviews it. */
const mostSkills = 100

/** A plugin that was made from a document. */
interface Drafted {
  readonly files: readonly NewFile[]
  readonly skills: number
  /** What its author must look at. */
  readonly notes: readonly string[]
}

/**
 * Makes a plugin from an OpenAPI document.
 * @param id the id of the plugin, which is the name of its folder
 * @param text JSON or YAML
 * @param file its name, for messages
 * @param wanted names of operations (`operationId`, or `get /users`). Null: all
 * @throws TocsinError `openapi_invalid`
 */
export function draftFromOpenApi(id: string, text: string, file: string, wanted: readonly string[] | null): Drafted {
  const document = new OpenApi(text, file)
  const operations = chosen(document, file, wanted)
  const names = new Names()
  const notes: string[] = []
  const skills: SkillDocument[] = []
  for (const operation of operations) {
    try {
      skills.push(skillOf(document, operation, names.take(operation.name)))
    } catch (error) {
      if (!(error instanceof CannotDraft)) throw error
      notes.push(`${operation.name} is left out: ${error.message}.`)
    }
  }
  const { manifest, notes: more } = manifestOf(id, document, operations, skills)
  return { files: [manifestFile(manifest), ...skills.map(skillFile)], skills: skills.length, notes: [...notes, ...more] }
}

function chosen({ operations }: OpenApi, file: string, wanted: readonly string[] | null): readonly Operation[] {
  if (wanted === null) {
    if (operations.length <= mostSkills) return operations
    const some = operations.slice(0, 10).map(({ name }) => name)
    throw tooMany(`${file} has ${operations.length} operations, such as ${some.join(', ')}.`)
  }
  const keyOf = (name: string): string => name.trim().toLowerCase()
  const found = new Map(operations.flatMap((one) => [one.name, `${one.method} ${one.path}`].map((name) => [keyOf(name), one])))
  const missing = wanted.filter((name) => !found.has(keyOf(name)))
  if (missing.length > 0) {
    const alike = operations.filter(({ name }) => missing.some((one) => nameOf(name).includes(nameOf(one)))).slice(0, 10)
    const hint = alike.length > 0 ? ` It has ${alike.map(({ name }) => name).join(', ')}.` : ''
    throw new TocsinError('openapi_invalid', `${file} has no operation ${missing.join(', ')}.${hint}`)
  }
  const all = [...new Set(wanted.flatMap((name) => found.get(keyOf(name)) ?? []))]
  if (all.length > mostSkills) throw tooMany(`These are ${all.length} operations.`)
  return all
}

function tooMany(what: string): TocsinError {
  return new TocsinError('openapi_invalid', `${what} A plugin gets at most ${mostSkills}.`, [], {
    remedy: 'Name those that you need: --operations listUsers,getUser',
  })
}

function manifestOf(id: string, document: OpenApi, operations: readonly Operation[], skills: readonly SkillDocument[]) {
  const info = objectAt(document.root, 'info')
  const title = oneLine(textAt(info, 'title') ?? titled(id), 80)
  const docs = textAt(objectAt(document.root, 'externalDocs'), 'url')
  const server = serverOf(document)
  const { auth, credentials, origins, notes } = securityOf(document, operations, server?.origin ?? null)
  const probe = skills.find(({ impact, input }) => impact === 'read' && input['required'] === undefined)
  const manifest: ManifestDocument = {
    format: 1,
    id,
    name: title,
    vendor: { name: title, api: `REST API ${textAt(info, 'version') ?? ''}`.trim(), ...(docs && URL.canParse(docs) && { docs }) },
    version: '1.0.0',
    categories: ['other'],
    credentials: [
      {
        name: 'base_url',
        label: 'Address',
        type: 'origin',
        ...(server ? { default: server.origin, advanced: true } : { required: true }),
        help: 'Scheme and host only.',
      },
      ...credentials,
    ],
    origins: ['{{ credentials.base_url }}', ...origins],
    auth,
    request: { ...(server && server.path !== '' && { base_path: server.path }), headers: { accept: 'application/json' }, timeout: '30s' },
    test: { request: { method: 'GET', path: probe?.request?.path ?? '/' } },
    rate_limit: { per: 'connection', requests: 10, interval: '1s', burst: 10 },
    errors: [keyRefused],
  }
  const missing = [
    ...(server ? [] : ['The document names no server with https. A connection must give its address.']),
    ...(probe ? [] : ['No read works without input. Correct `test` in manifest.yaml: a request that any valid credentials may send.']),
  ]
  return { manifest, notes: [...notes, ...missing] }
}

/** Returns where the first server with https is. Variables have their defaults. */
function serverOf(document: OpenApi): { readonly origin: string; readonly path: string } | null {
  for (const one of listAt(document.root, 'servers')) {
    const server = document.resolve(one)
    const variables = objectAt(server, 'variables')
    const address = (textAt(server, 'url') ?? '').replace(
      /\{([^{}]+)\}/g,
      (_whole, name: string) => textAt(objectAt(variables, name), 'default') ?? '',
    )
    const url = URL.parse(address)
    if (url?.protocol === 'https:') return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
  }
  return null
}
