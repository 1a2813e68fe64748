import type { Json } from '../../domain/index.ts'
import type { Filters } from '../../expressions/index.ts'
import * as typing from '../../expressions/typing/index.ts'
import { checkMember } from '../answer/matches.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import type { FaultPlaces } from '../manifest/fault-places.ts'
import { roleIncludes } from '../manifest/roles.ts'
import { checkCondition, checkTemplate } from './expressions.ts'
import { checkPages } from './manifest.ts'
import { checkFits, inputType } from './objects.ts'
import { checkBody, checkHeaders } from './sending.ts'

/** The plugin that a skill belongs to. */
export interface Surroundings {
  readonly manifest: ManifestDocument
  /** The skills whose files could be read, by `<integration>.<skill>`. */
  readonly skills: ReadonlyMap<string, SkillDocument>
  readonly filters: Filters
}

/**
 * Checks the types in a skill: its templates, and what it says about other skills. A probe or an
 * inverse that can never work is a mistake in the file.
 */
export function checkSkillTypes(skill: SkillDocument, { manifest, skills, filters }: Surroundings, places: FaultPlaces): void {
  const input = inputType(skill.input)
  const { verify, inverse } = skill
  checkRequest(skill, input, { manifest, filters }, places)
  if (verify && !verify.skill.startsWith(`${manifest.id}.`))
    places.add(
      ['verify', 'skill'],
      `\`${verify.skill}\` belongs to another integration; only the system that was called can tell whether a write happened`,
    )
  const probe = verify && skills.get(verify.skill)
  if (verify && probe) {
    checkRole(skill, probe, verify.skill, manifest, places)
    checkWith(verify.with, { input }, probe, verify.skill, 'verify', places)
    const roots = { input, output: typing.typeOfSchema(probe.output) }
    checkCondition(verify.happened, roots, ['verify', 'happened'], places)
    if (verify.output !== undefined) {
      const path = ['verify', 'output']
      const made = checkTemplate(verify.output, roots, path, places)
      checkFits(verify.output, made, typing.typeOfSchema(skill.output), path, 'a member of the output', places)
    }
  }
  const back = inverse && skills.get(inverse.skill)
  if (inverse && back) {
    const roots = { input, output: typing.typeOfSchema(skill.output) }
    checkWith(inverse.with, roots, back, inverse.skill, 'inverse', places)
    if (inverse.when !== undefined) checkCondition(inverse.when, roots, ['inverse', 'when'], places)
  }
}

/** Checks that a role that may make a call may also ask whether it happened. */
function checkRole({ minimum_role: role }: SkillDocument, probe: SkillDocument, name: string, manifest: ManifestDocument, places: FaultPlaces): void {
  const needed = probe.minimum_role
  if (role === undefined || needed === undefined || roleIncludes(manifest, role, needed)) return
  places.add(
    ['verify', 'skill'],
    `\`${name}\` needs the role \`${needed}\`, which \`${role}\` does not include: credentials that may make this call may not ask whether it happened`,
  )
}

const { any, boolean, integer, list, nullable, objectOf, text } = typing
const page = objectOf({ truncated: boolean, count: integer, pages: integer })

/**
 * Checks the templates of a request and of its result. Nothing is known about the type of the
 * answer's body.
 */
function checkRequest(
  { request, target, item_results: items, output }: SkillDocument,
  input: typing.Type,
  { manifest, filters }: Pick<Surroundings, 'manifest' | 'filters'>,
  places: FaultPlaces,
): void {
  if (target !== undefined) checkTemplate(target as Json, { input }, ['target'], places)
  // If the output never has the list, failures of items would go unnoticed.
  if (items) checkMember(output, items.list.split('.'), 'output', ['item_results', 'list'], places)
  if (items?.of !== undefined) checkTemplate(items.of, { input }, ['item_results', 'of'], places)
  for (const key of ['done', 'failed', 'not_sent'] as const)
    if (items?.[key] !== undefined) checkCondition(items[key], { input, item: any }, ['item_results', key], places)
  if (!request) return
  const sending = { input, call: objectOf({ key: text }) }
  for (const key of ['path', 'query', 'headers'] as const)
    if (request[key] !== undefined) checkTemplate(request[key] as Json, sending, ['request', key], places, filters)
  checkHeaders(request.headers, ['request', 'headers'], places)
  if (request.body !== undefined) checkBody(request, checkTemplate(request.body, sending, ['request', 'body'], places, filters), manifest, places)
  const answered = { input, body: any, status: integer, headers: any, now: nullable(integer), items: list, page }
  if (request.result !== undefined) checkTemplate(request.result, answered, ['request', 'result'], places)
  if (request.paginate) {
    const path = ['request', 'paginate']
    checkPages(request.paginate, path, places)
    const { until } = request.paginate
    const most = until === undefined ? null : typing.fitOf(checkTemplate(until, { input }, [...path, 'until'], places), typing.number)
    if (most?.fits === 'never') places.add([...path, 'until'], `it ${most.misfit.message}: it is how many items are wanted`)
  }
}

function checkWith(
  given: Readonly<Record<string, Json>> | undefined,
  roots: Readonly<Record<string, typing.Type>>,
  other: SkillDocument,
  name: string,
  key: 'verify' | 'inverse',
  places: FaultPlaces,
): void {
  const value = given ?? {}
  const path = given === undefined ? [key] : [key, 'with']
  const type = checkTemplate(value, roots, path, places)
  checkFits(value, type, typing.typeOfSchema(other.input), path, `an input of ${name}`, places)
}
