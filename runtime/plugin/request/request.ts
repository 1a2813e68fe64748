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
import { parseDuration } from '../../yaml/index.ts'
import { compileResult, type ResultPlan } from '../answer/result.ts'
import type { RequestDocument } from '../grammar/index.ts'
import { type BodyPlan, compileBody } from './body.ts'
import { compilePages, type PagePlan } from './paginate.ts'
import type { SkillRequest } from './skill-request.ts'

/** A skill's `request`, compiled once. */
export interface RequestPlan {
  readonly method: string
  readonly path: TextTemplate
  /** Whether the path ends with a slash that the skill wrote, and not with a value that is empty. */
  readonly endsWithSlash: boolean
  readonly query: readonly (readonly [string, ValueTemplate])[]
  readonly headers: readonly (readonly [string, ValueTemplate])[]
  readonly body: BodyPlan | null
  /** Whether the path is below the origin itself, without the manifest's base path. */
  readonly belowOrigin: boolean
  /** The statuses that the skill names as success; null: any 2xx. */
  readonly expected: readonly number[] | null
  /** Null: the manifest's. */
  readonly timeout: Millis | null
  readonly pages: PagePlan | null
  /** What the output is made of; null: the answer's body. */
  readonly result: ResultPlan | null
  /** Whether the output is made of the answer's body. */
  readonly readsBody: boolean
}

/** Where a part of a request came from, and what is to be said if it does not compile. */
export type Attempt = <T>(path: readonly (string | number)[], compile: () => T) => T | null

/** Compiles what of a request compiles; what does not is noted by `attempt`, and then the whole is null. */
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
  throw new TocsinError('skill_input_invalid', 'A value in the path has half of a character (a lone surrogate), which a URL cannot contain.')
}

/**
 * @param context the roots `input`, `call`, `credentials`
 * @throws TocsinError `template_failed`; `skill_input_invalid` when a value would make another path, query or header than was meant
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

/** An empty value would shorten the path, and `..` would climb: URL parsers resolve it however it is encoded. */
function checkedPath(path: string, plan: RequestPlan): string {
  if (plan.path.constant) return path
  const segments = (plan.endsWithSlash ? path.slice(0, -1) : path).split('/')
  const odd = segments.find((segment, at) => (segment === '' && at > 0) || segment === '.' || segment === '..')
  if (odd === undefined) return path
  throw new TocsinError('skill_input_invalid', `A value makes the path segment "${odd}" of ${path}; no record is called that.`)
}

/** @throws TocsinError `skill_input_invalid` */
export function checkedHeader(name: string, text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  throw new TocsinError('skill_input_invalid', `The header ${name} would have a character that no header may carry.`)
}

/** None for an absent value, one for each item of a list. */
function texts(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => texts(name, item))
  if (typeof value !== 'object') return [String(value)]
  throw new TocsinError('skill_input_invalid', `${name} is an object; only a text, a number, true, false or a list of them can be sent there.`)
}
