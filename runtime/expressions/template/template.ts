import { type Liquid, Output, type Template, toValueSync } from 'liquidjs'
import { cutText, type Json } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { type DocumentPath, hint, misspelling } from '../../yaml/index.ts'
import { ofCharacters } from '../cost.ts'
import type { ExpressionFault } from '../error.ts'
import type { Filters } from '../filters/quoting.ts'
import { lineStarts, MeteredContext, tooLarge } from '../liquid/index.ts'
import type { Context, Path } from '../types.ts'
import { Meter, type WorkBudget, WorkExceeded } from '../work.ts'
import { createEngine, type Insert } from './engine.ts'
import { innermost, isMissing, positionOf, reasonOf } from './liquid-error.ts'
import { filterMeant, syntaxMeant } from './liquid-meant.ts'
import { asJson } from './normalise.ts'
import { simpleParts, simplePath, undecided, walk } from './paths.ts'

/** A fault in a template, with its offset in the string. */
export class TemplateFault extends Error {
  readonly #fault: Omit<ExpressionFault, 'path'>

  constructor(fault: Omit<ExpressionFault, 'path'>) {
    super(fault.message)
    this.#fault = fault
  }

  /** Returns it as a fault of the value that contains the template. */
  at(path: DocumentPath): ExpressionFault {
    return { ...this.#fault, path }
  }
}

export interface Compiled<T> {
  /** The paths that it reads, with their offsets in the string. */
  readonly reads: readonly { readonly path: Path; readonly offset: number }[]
  /** @throws TocsinError `template_failed`; WorkExceeded, which `paying` explains */
  render(context: Context, meter: Meter): T
}

/** The engines for one set of extra filters. Making an engine costs more than rendering a template. */
export interface Engines {
  readonly typed: Liquid
  readonly text: Liquid
  readonly insert: Insert
}

const kept = new WeakMap<Filters, WeakMap<Insert, Engines>>()

/** Returns the same engines for the same arguments, so that all templates of one document share them. */
export function enginesOf(filters: Filters, insert: Insert): Engines {
  const known = kept.get(filters) ?? new WeakMap<Insert, Engines>()
  const engines = known.get(insert) ?? { typed: createEngine(filters, null), text: createEngine(filters, insert), insert }
  kept.set(filters, known.set(insert, engines))
  return engines
}

/** No quoting filters. A constant, so all such templates share their engines. */
export const noFilters: Filters = {}

/** Returns whether a string holds `{{ … }}` or `{% … %}`. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/**
 * Compiles a string that is a single `{{ … }}` and keeps the type of its value. Null for any other string.
 * @throws TemplateFault if the string does not parse
 */
export function compileWhole(source: string, { typed }: Engines): Compiled<Json | undefined> | null {
  const parsed = parse(source, typed)
  const only = parsed[0]
  if (parsed.length !== 1 || !(only instanceof Output)) return null
  const slow = (context: Context, meter: Meter): Json | undefined => evaluate(source, only, typed, context, meter)
  const path = simplePath(source)
  const reads = readsOf(source, typed, parsed)
  if (path === null) return { reads, render: slow }
  return {
    reads,
    render: (context, meter) => {
      meter.charge(ofString + ofSegment * path.length)
      const found = walk(path, context)
      return found === undecided ? slow(context, meter) : found
    },
  }
}

/**
 * Compiles a string with `{{ … }}` inside text. The result is always a string.
 * @throws TemplateFault if the string does not parse
 */
export function compileMixed(source: string, { text, insert }: Engines): Compiled<string> {
  const parsed = parse(source, text)
  const parts = simpleParts(source)
  const slow = (context: Context, meter: Meter): string => {
    try {
      meter.charge(ofString)
      return String(toValueSync(text.renderer.renderTemplates(parsed, scopeOf(text, context, meter))))
    } catch (error) {
      throw failure(source, error, meter)
    }
  }
  const reads = readsOf(source, text, parsed)
  if (parts === null) return { reads, render: slow }
  return {
    reads,
    render: (context, meter) => {
      let rendered = ''
      for (const part of parts) {
        meter.charge(ofString + (typeof part === 'string' ? ofCharacters(part.length) : ofSegment * part.length))
        const found = typeof part === 'string' ? part : walk(part, context)
        // Liquid decides, and its error names what is missing.
        if (found === undefined || found === undecided) return slow(context, meter)
        rendered += typeof part === 'string' ? part : inserted(source, insert, found, meter)
      }
      return rendered
    },
  }
}

/** @throws TemplateFault if the string does not parse */
export function parse(source: string, engine: Liquid): Template[] {
  const large = tooLarge(source)
  if (large !== null) throw new TemplateFault({ code: 'template_invalid', ...large })
  let templates: Template[]
  try {
    templates = engine.parse(source)
  } catch (error) {
    throw new TemplateFault({ ...parseFault(reasonOf(error), engine), offset: positionOf(error) })
  }
  for (const template of templates) {
    // Liquid would accept `{{ a b }}` and read `b`.
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
  const unclosed = /^(output|tag) ".*" not closed$/s.exec(reason)?.[1]
  if (unclosed !== undefined) {
    const [open, close] = unclosed === 'output' ? ['{{', '}}'] : ['{%', '%}']
    return { code: 'template_invalid', message: `the \`${open}\` that begins here is not closed; close it with \`${close}\`` }
  }
  return { code: 'template_invalid', message: `${reason}${syntaxMeant(reason)}` }
}

/** Returns all tag names, including those that end or divide a block. Liquid only has the latter inside their blocks. */
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

function inserted(source: string, insert: Insert, value: Json, meter: Meter): string {
  try {
    return insert(value, meter)
  } catch (error) {
    throw failure(source, error, meter)
  }
}

function evaluate(source: string, output: Output, engine: Liquid, context: Context, meter: Meter): Json | undefined {
  try {
    meter.charge(ofString)
    return asJson(toValueSync(output.value.value(scopeOf(engine, context, meter), false)), meter)
  } catch (error) {
    if (isMissing(error) && isItselfMissing(output, engine, context, meter)) return undefined
    throw failure(source, error, meter)
  }
}

/** Returns whether the value before the filters is missing. If not, an argument of a filter is. */
function isItselfMissing(output: Output, engine: Liquid, context: Context, meter: Meter): boolean {
  try {
    toValueSync(output.value.initial.evaluate(scopeOf(engine, context, meter), false))
    return false
  } catch (error) {
    return isMissing(error)
  }
}

function scopeOf(engine: Liquid, context: Context, meter: Meter): MeteredContext {
  return new MeteredContext(context, engine.options, { sync: true }, engine, meter)
}

/** Work units for a string with a template, and for each part of a path in it. */
const ofString = 30
const ofSegment = 5
/** Work units for an error: making one is expensive, because it shows the lines around it. */
const ofError = 5_000

/**
 * Renders with a new meter. If the work exceeds its limit, the error names the template.
 * @param together the budget of the run; null: no run
 * @throws TocsinError `evaluation_exceeded`, `run_evaluation_exceeded`
 */
export function paying<T>(together: WorkBudget | null, render: (meter: Meter) => T): T {
  const meter = new Meter(together)
  try {
    return render(meter)
  } catch (error) {
    throw error instanceof WorkExceeded ? meter.failure('the template', error) : error
  } finally {
    meter.end()
  }
}

function shownOf(source: string): string {
  return cutText(source, 120)
}

function failure(source: string, error: unknown, meter: Meter): TocsinError {
  const shown = shownOf(source)
  const exceeded = innermost(error)
  if (exceeded instanceof WorkExceeded) return meter.failure(`\`${shown}\``, exceeded)
  meter.charge(ofError)
  const reason = reasonOf(error)
  const missing = /^undefined variable: (.*)$/s.exec(reason)?.[1]
  const explained = missing === undefined ? reason : `${missing} is not there; if it may be missing, give it a default (\`| default: …\`)`
  return new TocsinError('template_failed', `\`${shown}\`: ${explained}.`, [], { cause: error })
}

/** Returns the paths that a template reads, from the roots, each up to its first computed part. */
export function readsOf(source: string, engine: Liquid, templates: readonly Template[]): Compiled<unknown>['reads'] {
  const starts = lineStarts(source)
  const variables = Object.values(engine.analyzeSync([...templates], { partials: false }).globals).flat()
  return variables.map(({ segments, location }) => {
    const end = segments.findIndex((segment) => typeof segment === 'object')
    return { path: segments.slice(0, end === -1 ? undefined : end).map(String), offset: (starts[location.row - 1] ?? 0) + location.col - 1 }
  })
}
