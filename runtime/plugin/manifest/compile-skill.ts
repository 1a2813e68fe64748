import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { compileCondition, compileValue, type Filters, type ValueTemplate } from '../../expressions/index.ts'
import { compileItemResults } from '../answer/items.ts'
import { compileMatches } from '../answer/matches.ts'
import { compileOutput } from '../answer/output.ts'
import type { Bundle } from '../bundle.ts'
import type { ManifestDocument, SkillDocument } from '../grammar/index.ts'
import { defaultExport, planHandler } from '../handler/plan.ts'
import { integersAsTexts } from '../request/body.ts'
import { compileRequest, type RequestPlan } from '../request/request.ts'
import { endsOf } from '../schema/end-times.ts'
import { type Compiling, compileSchema, type ValueSchema } from '../schema/schema.ts'
import { deadParts, schemaMistakes } from '../schema/schema-mistakes.ts'
import type { Skill, SkillAct } from '../types.ts'
import { checkSkillCodes } from './codes.ts'
import { credentialNames } from './compile-manifest.ts'
import type { FaultPlaces } from './fault-places.ts'
import { namesOf, type Scope } from './template-scope.ts'

/**
 * Returns the filters of a plugin's templates: its own quoting. All templates share one object, so
 * that the template engine is made only once.
 */
export function filtersOf({ quoting }: ManifestDocument): Filters {
  return quoting ?? {}
}

/**
 * Compiles a skill that fits its schema. Returns null if it is inconsistent; `places` then says why.
 * @param compiling when its schemas are compiled. `when used` also leaves out what only its author must know: examples, and
 * mistakes with which calls go on as before
 */
export function compileSkill(
  document: SkillDocument,
  manifest: ManifestDocument,
  filters: Filters,
  places: FaultPlaces,
  bundle: Bundle | null = null,
  compiling: Compiling = 'now',
): Skill | null {
  const input = schemaAt('input', document, places, (schema) => compileSchema(schema, compiling))
  const output = schemaAt('output', document, places, (schema) => compileOutput(schema, compiling))
  if (output && compiling === 'now') checkParts('output', document, places)
  // An example cannot fit an input that nothing fits.
  if (input && compiling === 'now' && checkParts('input', document, places)) checkExamples(document, input, places)
  const does = actOf(document, manifest, filters, places, bundle)
  const ends = places.attempt(['input'], () => endsOf(document.input))
  const target = targetOf(document, places)
  const items = compileItemResults(document, places)
  const mismatch = compileMatches(document, places)
  checkWrite(document, places)
  if (does && compiling === 'now') {
    checkRepeats(document, does, places)
    checkListed(does, places)
  }
  checkSkillCodes(document, manifest, places)
  checkRole(document, manifest, places)
  if (!input || !output || !does || !ends) return null
  return {
    id: document.id,
    document,
    impact: document.impact,
    target,
    does,
    ends,
    checkInput: (given) => {
      const complete = input.complete(given)
      return { input: complete, faults: input.faults(complete) }
    },
    inputFaults: (given) => input.details(input.complete(given)),
    judgeOutput: output.judge,
    checkOutput: output.faults,
    exactOutput: integersAsTexts(document.output),
    contractualOutput: output.contractual,
    items,
    mismatch,
  }
}

/** Compiles one schema of a skill. Returns null if it is wrong; `places` then says where. */
function schemaAt<T>(
  key: 'input' | 'output',
  document: SkillDocument,
  places: FaultPlaces,
  compile: (schema: SkillDocument['input']) => T,
): T | null {
  try {
    return compile(document[key])
  } catch (error) {
    const mistakes = schemaMistakes(document[key])
    if (mistakes.length === 0) places.add([key], messageOf(error))
    for (const { path, message, part } of mistakes) places.add([key, ...path], message, part)
    return null
  }
}

/** Returns whether there is a value that fits each part of a schema. */
function checkParts(key: 'input' | 'output', document: SkillDocument, places: FaultPlaces): boolean {
  const dead = deadParts(document[key])
  for (const { path, message } of dead) places.add([key, ...path], message)
  return dead.length === 0
}

function actOf(document: SkillDocument, manifest: ManifestDocument, filters: Filters, places: FaultPlaces, bundle: Bundle | null): SkillAct | null {
  const { request, handler } = document
  if ((request === undefined) === (handler === undefined)) {
    places.add(
      handler === undefined ? [] : ['handler'],
      'a skill needs either `request` or `handler`, not both',
      handler === undefined ? 'value' : 'key',
    )
    return null
  }
  if (request === undefined) {
    const plan = handler && bundle && places.attempt(['handler'], () => planHandler(handler, bundle))
    return plan ? { kind: 'handler', plan } : null
  }
  const plan = compileRequest(request, filters, document.input, (path, compile) => places.attempt(['request', ...path], compile))
  if (plan) checkRequest(document, plan, manifest, places)
  return plan && { kind: 'request', plan }
}

function targetOf({ target, input }: SkillDocument, places: FaultPlaces): ValueTemplate | null {
  if (target === undefined) return null
  const compiled = places.attempt(['target'], () => compileValue(target as Json))
  if (compiled) places.reads(['target'], compiled.reads, { input: namesOf(input) })
  return compiled
}

function checkRequest(document: SkillDocument, request: RequestPlan, manifest: ManifestDocument, places: FaultPlaces): void {
  const input = namesOf(document.input)
  const sending: Scope = { input, call: ['key'], credentials: credentialNames(manifest).plain }
  places.reads(['request', 'path'], request.path.reads, sending)
  for (const [name, value] of request.query) places.reads(['request', 'query', name], value.reads, sending)
  for (const [name, value] of request.headers) places.reads(['request', 'headers', name], value.reads, sending)
  if (request.body) places.reads(['request', 'body'], request.body.reads, sending)
  if (request.pages) places.reads(['request', 'paginate', 'until'], request.pages.reads, { input })
  const paging: Scope = request.pages ? { items: null, page: ['truncated', 'count', 'pages'] } : {}
  const answered: Scope = { input, body: null, status: null, headers: null, now: null, ...paging }
  if (request.result) places.reads(['request', 'result'], request.result.reads, answered)
  if (request.method === 'GET' && request.body) places.add(['request', 'body'], 'a GET cannot have a body')
  if (request.pages && document.impact !== 'read') places.add(['request', 'paginate'], 'only a read can have pages')
}

/** Reports a listing whose output would have only the items of its last page. */
function checkListed(does: SkillAct, places: FaultPlaces): void {
  if (does.kind === 'handler' || !does.plan.pages) return
  const reads = does.plan.result?.reads ?? null
  if (reads === null) places.add(['request', 'paginate'], "a listing needs `result`, such as `{ users: '{{ items }}' }`")
  else if (!reads.some(([root, member]) => root === 'items' || (root === 'page' && (member === undefined || member === 'count'))))
    places.add(['request', 'result'], 'it leaves out `items`, which has the items of all pages; `body` is only the last page')
}

/**
 * Checks the keys that a skill must have if it changes the outside world, and must not have if it
 * only reads.
 */
function checkWrite(document: SkillDocument, places: FaultPlaces): void {
  const { impact, idempotent, verify, inverse, input } = document
  if (impact !== 'read' && !idempotent) places.add(['impact'], 'a skill that writes needs `idempotent`, at least `{ by: none }`')
  for (const key of ['idempotent', 'verify', 'inverse'] as const) {
    if (impact === 'read' && document[key] !== undefined) places.add([key], `\`${key}\` is only for skills that write`, 'key')
  }
  const given: Scope = { input: namesOf(input) }
  const answered: Scope = { ...given, output: namesOf(document.output) }
  for (const [key, other, scope] of [['verify', verify, given] as const, ['inverse', inverse, answered] as const]) {
    const value = other?.with
    if (value === undefined) continue
    const compiled = places.attempt([key, 'with'], () => compileValue(value as Json))
    if (compiled) places.reads([key, 'with'], compiled.reads, scope)
  }
  const when = inverse?.when === undefined ? null : places.attempt(['inverse', 'when'], () => compileCondition(inverse.when as Json))
  if (when) places.reads(['inverse', 'when'], when.reads, answered)
  if (!verify) return
  const { output: found } = verify
  const output = found === undefined ? null : places.attempt(['verify', 'output'], () => compileValue(found))
  if (output) places.reads(['verify', 'output'], output.reads, { ...given, output: null })
  const happened = places.attempt(['verify', 'happened'], () => compileCondition(verify.happened))
  if (happened) places.reads(['verify', 'happened'], happened.reads, { ...given, output: null })
}

/** Reports a skill that Tocsin would send again although that may not be safe. */
function checkRepeats({ impact, idempotent }: SkillDocument, does: SkillAct, places: FaultPlaces): void {
  if (idempotent?.by === 'key' && !sendsKey(does))
    places.add(['idempotent', 'by'], 'nothing sends `call.key`, so the system cannot recognise a call that is sent again')
  if (impact === 'read' && does.kind === 'request' && ['PUT', 'PATCH', 'DELETE'].includes(does.plan.method))
    places.add(
      ['request', 'method'],
      `a ${does.plan.method} changes something, and Tocsin may send a read again at any time; declare \`impact: write\``,
    )
}

/** Returns whether a request sends the key of its call. For code, returns false only if it does not even name the call or a key. */
function sendsKey(does: SkillAct): boolean {
  if (does.kind === 'handler') {
    const { text } = does.plan.bundle
    // esbuild does not rename members. `x.call(…)` only calls a function.
    return /\bkey\b|[{,]call\b|\.call\b(?!\()/.test(text.slice(text.indexOf(defaultExport)))
  }
  const { path, query, headers, body } = does.plan
  const parts = [path, ...query.map(([, value]) => value), ...headers.map(([, value]) => value), ...(body ? [body] : [])]
  return parts.some(({ reads }) => reads.some(([root]) => root === 'call'))
}

function checkRole({ minimum_role: role }: SkillDocument, { roles }: ManifestDocument, places: FaultPlaces): void {
  if (role === undefined) return
  const known = [...new Set((roles ?? []).flat())]
  if (!known.includes(role)) places.unknown(['minimum_role'], 'role', role, known)
}

function checkExamples({ examples }: SkillDocument, schema: ValueSchema, places: FaultPlaces): void {
  for (const [at, { input }] of (examples ?? []).entries()) {
    for (const fault of schema.faults(schema.complete(input))) places.add(['examples', at, 'input'], fault)
  }
}
