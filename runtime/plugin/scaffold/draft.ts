import { TocsinError } from '../../errors/index.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import { keyRefused, titled } from './blank.ts'
import { listAt, OpenApi, type Operation, objectAt, textAt } from './document.ts'
import { manifestFile, type NewFile, skillFile } from './files.ts'
import { CannotDraft } from './inputs.ts'
import { Names, nameOf, oneLine } from './names.ts'
import { securityOf } from './security.ts'
import { addressOf, chosenServer, type Server, serverNotes, serversOf } from './servers.ts'
import { type DraftedSkill, skillOf } from './skills.ts'

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
  const drafted: DraftedSkill[] = []
  const servers = serversOf(document, listAt(document.root, 'servers'))
  for (const operation of operations) {
    try {
      mustBeAt(document, operation, servers)
      const one = skillOf(document, operation, names.take(operation.name))
      drafted.push(one)
      notes.push(...one.leftOut.map((what) => `${operation.name} cannot send everything: ${what} is left out.`))
    } catch (error) {
      if (!(error instanceof CannotDraft)) throw error
      notes.push(`${operation.name} is left out: ${error.message}.`)
    }
  }
  const skills = drafted.map(({ skill }) => skill)
  const { manifest, notes: more } = manifestOf(id, document, operations, skills, servers)
  const files = [manifestFile(manifest), ...drafted.map(({ skill, remarks }) => skillFile(skill, remarks))]
  return { files, skills: skills.length, notes: [...notes, ...more] }
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

/** @throws CannotDraft if an operation is not at the server of the plugin */
function mustBeAt(document: OpenApi, operation: Operation, servers: readonly Server[]): void {
  const own = serversOf(document, operation.servers)
  const [first] = own
  const address = addressOf(chosenServer(servers))
  if (first && !own.some((one) => addressOf(one) === address)) throw new CannotDraft(`it has a server of its own, ${addressOf(first)}`)
}

function manifestOf(id: string, document: OpenApi, operations: readonly Operation[], skills: readonly SkillDocument[], servers: readonly Server[]) {
  const info = objectAt(document.root, 'info')
  const title = oneLine(textAt(info, 'title') ?? titled(id), 80)
  const docs = textAt(objectAt(document.root, 'externalDocs'), 'url')
  const { origin, path, varying } = chosenServer(servers)
  const { auth, credentials, origins, notes } = securityOf(document, operations, origin)
  const probe = skills.find(({ impact, input }) => impact === 'read' && input['required'] === undefined)
  const manifest: ManifestDocument = {
    format: 1,
    id,
    name: title,
    vendor: { name: title, api: `REST API ${document.version ?? ''}`.trim(), ...(docs && URL.canParse(docs) && { docs }) },
    version: '1.0.0',
    categories: ['other'],
    credentials: [
      {
        name: 'base_url',
        label: 'Address',
        type: 'origin',
        ...(origin === null ? { required: true } : { default: origin, ...(varying.length === 0 && { advanced: true }) }),
        help: 'Scheme and host only.',
      },
      ...credentials,
    ],
    origins: ['{{ credentials.base_url }}', ...origins],
    auth,
    request: { ...(path !== '' && { base_path: path }), headers: { accept: 'application/json' }, timeout: '30s' },
    test: { request: { method: 'GET', path: probe?.request?.path ?? '/' } },
    rate_limit: { per: 'connection', requests: 10, interval: '1s', burst: 10 },
    errors: [keyRefused],
  }
  const missing = [
    ...serverNotes(servers),
    ...(probe ? [] : ['No read works without input. Correct `test` in manifest.yaml: a request that any valid credentials may send.']),
  ]
  return { manifest, notes: [...notes, ...missing] }
}
