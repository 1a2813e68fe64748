import { type Liquid, Context as LiquidContext, Output, type Template, toValueSync } from 'liquidjs'
import type { Json } from '../domain/index.ts'
import { isTocsinError, TocsinError } from '../errors/index.ts'
import { type DocumentPath, hint, misspelling } from '../yaml/index.ts'
import { createEngine, type Insert } from './engine.ts'
import type { ExpressionFault } from './error.ts'
import type { Filters } from './filters.ts'
import { isMissing, positionOf, reasonOf } from './liquid-error.ts'
import { filterMeant, syntaxMeant } from './liquid-meant.ts'
import { asJson } from './normalise.ts'
import { simpleParts, simplePath, undecided, walk } from './paths.ts'
import type { Context, Path } from './types.ts'

/** What is wrong with a template, and at which character of it. */
export class TemplateFault extends Error {
  readonly #fault: Omit<ExpressionFault, 'path'>

  constructor(fault: Omit<ExpressionFault, 'path'>) {
    super(fault.message)
    this.#fault = fault
  }

  /** As a fault of the value that the template is part of. */
  at(path: DocumentPath): ExpressionFault {
    return { ...this.#fault, path }
  }
}

export interface Compiled<T> {
  /** Every path, and at which character of the string it is read. */
  readonly reads: readonly { readonly path: Path; readonly offset: number }[]
  /** @throws TocsinError `template_failed` */
  render(context: Context): T
}

/** The engines of one set of extra filters; making one costs more than a template does. */
export interface Engines {
  readonly typed: Liquid
  readonly text: Liquid
  readonly insert: Insert
}

const kept = new WeakMap<Filters, WeakMap<Insert, Engines>>()

/** The same engines for the same objects: all templates of one document share theirs. */
export function enginesOf(filters: Filters, insert: Insert): Engines {
  const known = kept.get(filters) ?? new WeakMap<Insert, Engines>()
  const engines = known.get(insert) ?? { typed: createEngine(filters, null), text: createEngine(filters, insert), insert }
  kept.set(filters, known.set(insert, engines))
  return engines
}

/** When none are given. */
export const noFilters: Filters = {}

/** Whether a string holds `{{ … }}` or `{% … %}`. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/**
 * A string that is one `{{ … }}` and nothing else, keeping its value's type; null for any other string.
 * @throws TemplateFault when the string does not parse
 */
export function compileWhole(source: string, { typed }: Engines): Compiled<Json | undefined> | null {
  const parsed = parse(source, typed)
  const only = parsed[0]
  if (parsed.length !== 1 || !(only instanceof Output)) return null
  const slow = (context: Context): Json | undefined => evaluate(source, only, typed, context)
  const path = simplePath(source)
  const reads = readsOf(source, typed, parsed)
  if (path === null) return { reads, render: slow }
  return {
    reads,
    render: (context) => {
      const found = walk(path, context)
      return found === undecided ? slow(context) : found
    },
  }
}

/**
 * A string with `{{ … }}` inside text: always a string.
 * @throws TemplateFault when the string does not parse
 */
export function compileMixed(source: string, { text, insert }: Engines): Compiled<string> {
  const parsed = parse(source, text)
  const parts = simpleParts(source)
  const slow = (context: Context): string => {
    try {
      return bounded(source, String(text.renderSync(parsed, context)))
    } catch (error) {
      throw failure(source, error)
    }
  }
  const reads = readsOf(source, text, parsed)
  if (parts === null) return { reads, render: slow }
  return {
    reads,
    render: (context) => {
      let rendered = ''
      for (const part of parts) {
        const found = typeof part === 'string' ? part : walk(part, context)
        // Liquid also says what is missing.
        if (found === undefined || found === undecided) return slow(context)
        rendered += typeof part === 'string' ? part : insert(found)
      }
      return bounded(source, rendered)
    },
  }
}

function parse(source: string, engine: Liquid): Template[] {
  let templates: Template[]
  try {
    templates = engine.parse(source)
  } catch (error) {
    throw new TemplateFault({ ...parseFault(reasonOf(error), engine), offset: positionOf(error) })
  }
  for (const template of templates) {
    // Liquid reads `{{ a b }}` as `b`.
    if (template instanceof Output && !isOneValue(template)) {
      throw new TemplateFault({ code: 'template_invalid', message: 'this is not one value', offset: template.token.begin })
    }
  }
  return templates
}

function parseFault(reason: string, engine: Liquid): Omit<ExpressionFault, 'path' | 'offset'> {
  const filter = /^undefined filter: (.*)$/s.exec(reason)?.[1]
  if (filter !== undefined) {
    const meant = filterMeant(filter)
    if (meant !== null && Object.hasOwn(engine.filters, meant))
      return { code: 'filter_unknown', message: `there is no filter \`${filter}\`; did you mean \`${meant}\`?`, misspelt: { name: filter, meant } }
    return unknown('filter_unknown', 'filter', filter, Object.keys(engine.filters))
  }
  const tag = /^tag "(.*)" not found$/s.exec(reason)?.[1]
  if (tag !== undefined) return unknown('tag_unknown', 'tag', tag, tagNames(engine))
  return { code: 'template_invalid', message: `${reason}${syntaxMeant(reason)}` }
}

/** Those that end or divide a block, too; Liquid knows them in their blocks only. */
function tagNames({ tags }: Liquid): readonly string[] {
  const blocks = ['if', 'unless', 'case', 'for', 'capture', 'comment', 'raw'].filter((name) => Object.hasOwn(tags, name))
  return [...Object.keys(tags), ...blocks.map((name) => `end${name}`), 'else', 'elsif', 'when']
}

function unknown(
  code: 'filter_unknown' | 'tag_unknown',
  what: string,
  name: string,
  known: readonly string[],
): Omit<ExpressionFault, 'path' | 'offset'> {
  return { code, message: `there is no ${what} \`${name}\`${hint(name, known)}`, ...misspelling(name, known) }
}

function isOneValue(output: Output): boolean {
  let height = 0
  for (const token of output.value.initial.postfix) {
    const operator = 'operator' in token ? String(token.operator) : null
    if (operator !== 'not') height += operator === null ? 1 : -1
  }
  return height === 1
}

function evaluate(source: string, output: Output, engine: Liquid, context: Context): Json | undefined {
  try {
    return asJson(toValueSync(output.value.value(scopeOf(engine, context), false)))
  } catch (error) {
    if (isMissing(error) && isItselfMissing(output, engine, context)) return undefined
    throw failure(source, error)
  }
}

/** Whether the value before the filters is missing, and not only an argument of a filter. */
function isItselfMissing(output: Output, engine: Liquid, context: Context): boolean {
  try {
    toValueSync(output.value.initial.evaluate(scopeOf(engine, context), false))
    return false
  } catch (error) {
    return isMissing(error)
  }
}

function scopeOf(engine: Liquid, context: Context): LiquidContext {
  return new LiquidContext(context, engine.options, { sync: true }, { liquid: engine })
}

/** Characters of what one template renders to: several of the largest outputs. What is longer is not made yet, only said: a long text is put together when it is read. */
const mostRendered = 20_000_000

/** @throws TocsinError `template_too_large` */
function bounded(source: string, rendered: string): string {
  if (rendered.length <= mostRendered) return rendered
  throw new TocsinError('template_too_large', `\`${shownOf(source)}\` renders to ${rendered.length} characters; at most ${mostRendered} are made.`)
}

function shownOf(source: string): string {
  return source.length > 120 ? `${source.slice(0, 120)}…` : source
}

function failure(source: string, error: unknown): TocsinError {
  if (isTocsinError(error) && error.code === 'template_too_large') return error
  const shown = shownOf(source)
  const reason = reasonOf(error)
  const missing = /^undefined variable: (.*)$/s.exec(reason)?.[1]
  const explained = missing === undefined ? reason : `${missing} is not there; if it may be missing, give it a default (\`| default: …\`)`
  return new TocsinError('template_failed', `\`${shown}\`: ${explained}.`, [], { cause: error })
}

/** Paths from the roots, each up to the first part that is itself computed. */
function readsOf(source: string, engine: Liquid, templates: Template[]): Compiled<unknown>['reads'] {
  const lines = source.split('\n')
  const startOf = (row: number): number => lines.slice(0, row - 1).reduce((sum, line) => sum + line.length + 1, 0)
  const variables = Object.values(engine.analyzeSync(templates, { partials: false }).globals).flat()
  return variables.map(({ segments, location }) => {
    const end = segments.findIndex((segment) => typeof segment === 'object')
    return { path: segments.slice(0, end === -1 ? undefined : end).map(String), offset: startOf(location.row) + location.col - 1 }
  })
}
