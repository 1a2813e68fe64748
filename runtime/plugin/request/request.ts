import type { Json, Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import {
  type Context,
  compileText,
  compileValue,
  type Filters,
  type Meter,
  renderText,
  type TextTemplate,
  type ValueTemplate,
} from '../../expressions/index.ts'
import { parseDuration } from '../../formats/index.ts'
import { compileResult, type ResultPlan } from '../answer/result.ts'
import type { RequestDocument } from '../grammar/index.ts'
import { type BodyPlan, compileBody } from './body.ts'
import { compilePages, type PagePlan } from './paginate.ts'
import type { SkillRequest } from './skill-request.ts'

/** A skill's `request`, compiled. */
export interface RequestPlan {
  readonly method: string
  readonly path: TextTemplate
  /** Set if the path ends with a slash that the skill wrote, as opposed to an empty value. */
  readonly endsWithSlash: boolean
  readonly query: readonly (readonly [string, ValueTemplate])[]
  readonly headers: readonly (readonly [string, ValueTemplate])[]
  readonly body: BodyPlan | null
  /** Set if the path is directly below the origin, without the manifest's base path. */
  readonly belowOrigin: boolean
  /** The statuses that the skill names as success. Null: any 2xx. */
  readonly expected: readonly number[] | null
  /** Null: the manifest's time-out. */
  readonly timeout: Millis | null
  readonly pages: PagePlan | null
  /** Makes the output. Null: the output is the answer's body. */
  readonly result: ResultPlan | null
  /** Set if the output is made from the answer's body. */
  readonly readsBody: boolean
}

/**
 * Compiles a part of a request. Notes the fault and returns null if that fails.
 * @param path the place of the part
 */
export type Attempt = <T>(path: readonly (string | number)[], compile: () => T) => T | null

/** Compiles a request. Faults are noted by `attempt`. Returns null if there are any. */
export function compileRequest(
  request: RequestDocument,
  filters: Filters,
  input: Readonly<Record<string, Json>>,
  attempt: Attempt,
): RequestPlan | null {
  const values = (key: 'query' | 'headers'): (readonly [string, ValueTemplate | null])[] =>
    Object.entries(request[key] ?? {}).map(([name, value]) => [name, attempt([key, name], () => compileValue(value, filters))])
  const path = attempt(['path'], () => compileText(request.path, filters, asSegment))
  const query = values('query')
  const headers = values('headers')
  const { body: bodyTemplate, result: resultTemplate, paginate, expect } = request
  const body = bodyTemplate === undefined ? null : attempt(['body'], () => compileBody(bodyTemplate, filters, input))
  const pages = paginate === undefined ? null : attempt(['paginate', 'until'], () => compilePages(paginate))
  const result = resultTemplate === undefined ? null : attempt(['result'], () => compileResult(resultTemplate))
  const failed =
    path === null || (bodyTemplate !== undefined && !body) || (paginate !== undefined && !pages) || (resultTemplate !== undefined && !result)
  if (failed || !allThere(query) || !allThere(headers)) return null
  const expected = expect === undefined ? null : [expect.status].flat()
  const timeout = request.timeout === undefined ? null : parseDuration(request.timeout)
  const readsBody = result === null || result.reads.some(([root]) => root === 'body' || root === 'items')
  const belowOrigin = request.base === 'none'
  const endsWithSlash = request.path.endsWith('/')
  return { method: request.method, belowOrigin, path, endsWithSlash, query, headers, body, expected, timeout, pages, result, readsBody }
}

function allThere(values: (readonly [string, ValueTemplate | null])[]): values is (readonly [string, ValueTemplate])[] {
  return values.every(([, value]) => value !== null)
}

/** Encodes a value as a single path segment. */
function asSegment(value: unknown, meter: Meter): string {
  const text = renderText(value, meter)
  if (text.isWellFormed()) return encodeURIComponent(text)
  throw new TocsinError('skill_input_invalid', 'A value in the path contains half of a character (a lone surrogate), which is not allowed in a URL.')
}

/**
 * Renders a request.
 * @param context the roots `input`, `call`, `credentials`
 * @throws TocsinError `template_failed`; `skill_input_invalid` if a value would change the
 * structure of the path, the query or a header
 */
export function renderRequest(plan: RequestPlan, context: Context): SkillRequest {
  return {
    method: plan.method,
    path: checkedPath(plan.path.render(context), plan),
    query: plan.query.flatMap(([name, value]) => texts(name, value.render(context)).map((text) => [name, text] as const)),
    headers: Object.fromEntries(
      plan.headers.flatMap(([name, value]) => texts(name, value.render(context)).map((text) => [name.toLowerCase(), checkedHeader(name, text)])),
    ),
    body: plan.body?.render(context),
    ...(plan.belowOrigin && { base: 'none' }),
  }
}

/**
 * Refuses empty values, which would shorten the path, and `.` and `..`, which URL parsers resolve
 * however they are encoded.
 */
function checkedPath(path: string, plan: RequestPlan): string {
  if (plan.path.constant) return path
  const segments = (plan.endsWithSlash ? path.slice(0, -1) : path).split('/')
  const odd = segments.find((segment, at) => (segment === '' && at > 0) || segment === '.' || segment === '..')
  if (odd === undefined) return path
  throw new TocsinError('skill_input_invalid', `A value makes the path segment "${odd}" in ${path}. No record has such a name.`)
}

/** @throws TocsinError `skill_input_invalid` */
export function checkedHeader(name: string, text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  throw new TocsinError('skill_input_invalid', `The value of the header ${name} contains a character that headers may not have.`)
}

/** Returns nothing for an absent value, and one text for each item of a list. */
function texts(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => texts(name, item))
  if (typeof value !== 'object') return [String(value)]
  throw new TocsinError('skill_input_invalid', `${name} is an object. Only a text, a number, true, false or a list of them can be sent there.`)
}
