import { Liquid, Token, Tokenizer } from 'liquidjs'
import { isLongInteger } from '../../domain/index.ts'
import { allFilters, type FilterFunction, type Filters, quotingCost, quotingFilter, typesOfQuoting } from '../filters/index.ts'
import {
  acceptChainedDefaults,
  MeteredCase,
  MeteredFor,
  MeteredIf,
  MeteredRender,
  MeteredUnless,
  metered,
  meterOf,
  operators,
  positionIn,
} from '../liquid/index.ts'
import type { Meter } from '../work.ts'

/** Tags for files, for HTML tables, or with state that outlives a rendering. Templates of values do not need them. */
const withheldTags = ['include', 'render', 'layout', 'block', 'increment', 'decrement', 'cycle', 'tablerow', 'liquid']

/** Turns a rendered value into the text to insert. Charges the meter. */
export type Insert = (value: unknown, meter: Meter) => string

/**
 * Returns a Liquid engine without files, clock, randomness or prototypes. All work is charged to the meter of the template's context.
 * @param insert turns each output into text; null: outputs keep their types
 */
export function createEngine(filters: Filters, insert: Insert | null): Liquid {
  const insertion: FilterFunction = function (value) {
    return insert?.(value, meterOf(this.context))
  }
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    // `| default:` and `{% if %}` accept a missing value, and so does a default that another one follows. Everything else stays strict.
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-US',
    operators,
    // No files. The tags that load files are removed, too.
    templates: {},
    ...(insert === null ? {} : { outputEscape: insertion as never }),
  })
  for (const name of withheldTags) delete engine.tags[name]
  for (const [name, tag] of Object.entries({ if: MeteredIf, unless: MeteredUnless, case: MeteredCase, for: MeteredFor }))
    engine.registerTag(name, tag)
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name)
  for (const { name, evaluate, cost, types } of allFilters) engine.registerFilter(name, metered(name, evaluate, cost, types))
  for (const [name, quoting] of Object.entries(filters))
    engine.registerFilter(name, metered(name, quotingFilter(quoting), quotingCost, typesOfQuoting))
  Object.assign(engine, { renderer: new MeteredRender() })
  return engine
}

// As in JSON and YAML, an integer beyond 2^53 is the text of its digits. Liquid would round it.
const { readNumber } = Tokenizer.prototype
Tokenizer.prototype.readNumber = function () {
  const token = readNumber.call(this)
  return token && isLongInteger(token.getText()) ? Object.assign(token, { content: token.getText() }) : token
}

acceptChainedDefaults()

// Liquid's own version counts all lines before the token on each call.
Token.prototype.getPosition = function () {
  return positionIn(this.input, this.begin)
}
