import type { Json } from '../../domain/index.ts'
import { integersAsTexts } from '../request/body.ts'
import { type Compiling, compileFirstFault, compileSchema, onDemand, type SchemaFault, type ValueSchema } from '../schema/schema.ts'
import { contractOf, contractualPart } from './contract.ts'

type Schema = { readonly [key: string]: Json }

/** An output as it is passed on, and where it does not match the skill's schema. */
export interface JudgedOutput {
  /** The output unchanged, except that integers become strings where the schema says so. */
  readonly output: Json
  /** What breaks the contract: a required field is missing or has another type. Null if nothing does. */
  readonly broken: string | null
  /**
   * What else does not match the schema, one text for each field. All items of a list share one. At
   * most `mostWarnings`, and how many more there are.
   */
  readonly odd: readonly string[]
}

/**
 * A compiled output schema. What it requires is a contract; the rest is an expectation
 * (docs/decisions/0043).
 */
export interface OutputSchema {
  judge(given: Json): JudgedOutput
  /** Returns everything that does not match, contract and expectation alike. Empty if all matches. */
  faults(output: Json): readonly string[]
  /** Returns the part of an output that the contract names. */
  contractual(output: Json): Json
}

/** The most warnings for one output. */
export const mostWarnings = 20
/**
 * How many items of a list, and how many values of an output, are examined. What is wrong with one
 * item is usually wrong with all.
 */
const [sampledItems, sampledValues] = [20, 5_000]
/** How many members of an object are examined that the schema does not name. */
const sampledMembers = 50
/** Longest warning, in characters. */
const longestWarning = 300

/** @throws Error if the schema itself is invalid. The message says why */
export function compileOutput(schema: Schema, compiling: Compiling = 'now'): OutputSchema {
  const whole = compileFirstFault(schema, compiling)
  const exact = integersAsTexts(schema)
  const contract = contractOf(schema)
  // Most answers match. The checks that explain a mismatch are compiled at the first mismatch.
  const broken = onDemand(() => compileFirstFault(contract))
  const thorough = onDemand(() => ({ check: compileSchema(schema), names: namesIn(schema) }))
  return {
    judge(given) {
      const output = exact(given)
      const fault = whole(output)
      if (fault === null) return { output, broken: null, odd: [] }
      const breach = broken()(output)
      return { output, broken: breach && `${breach.message}${foundInstead(breach, output)}`, odd: oddities(output, fault, thorough()) }
    },
    faults: (output) => thorough().check.faults(output),
    contractual: (output) => contractualPart(output, contract),
  }
}

/** @param first the first fault, which may be outside the sample */
function oddities(output: Json, first: SchemaFault, { check, names }: Thorough): readonly string[] {
  const all = [first, ...check.details(sampled(output, names))]
  const told = [...new Set(all.map((fault) => warningOf(fault, output)))]
  if (told.length <= mostWarnings) return told
  return [...told.slice(0, mostWarnings), `and ${told.length - mostWarnings} more fields`]
}

/**
 * Makes a warning such as `accounts.*.vip must be boolean, and is a text`. It is the same for every
 * item of a list.
 */
function warningOf({ path, keyword, message }: SchemaFault, output: Json): string {
  const field = path.join('.')
  const said = message.startsWith(field)
    ? `${path.map((part) => (/^\d+$/.test(part) ? '*' : part)).join('.')}${message.slice(field.length)}`
    : message
  return `${said}${foundInstead({ path, keyword }, output)}`.replaceAll(',null', ' or null').slice(0, longestWarning)
}

function foundInstead({ path, keyword }: Pick<SchemaFault, 'path' | 'keyword'>, output: Json): string {
  return keyword === 'type' ? `, and is ${kindOf(valueAt(output, path))}` : ''
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value
  for (const part of path)
    found = typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? (found as Readonly<Record<string, Json>>)[part] : undefined
  return found
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  // An answer without a body.
  if (value === '') return 'an empty text'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}

interface Thorough {
  readonly check: ValueSchema
  /** All member names that appear anywhere in the schema. */
  readonly names: ReadonlySet<string>
}

function namesIn(schema: Schema): ReadonlySet<string> {
  const names = new Set<string>()
  const walk = (part: Json): void => {
    if (typeof part !== 'object' || part === null) return
    for (const [key, inner] of Object.entries(part)) {
      if (key === 'properties' && typeof inner === 'object' && inner !== null) for (const name of Object.keys(inner)) names.add(name)
      if (key === 'required' && Array.isArray(inner)) for (const name of inner) names.add(String(name))
      walk(inner)
    }
  }
  walk(schema)
  return names
}

/**
 * Returns a sample of a value: the first items of each list, the members of each object that the
 * schema names and some others, and not too many values in all.
 */
function sampled(value: Json, names: ReadonlySet<string>): Json {
  let left = sampledValues
  const walk = (one: Json): Json => {
    left -= 1
    if (typeof one !== 'object' || one === null) return one
    if (Array.isArray(one)) return (one as readonly Json[]).slice(0, left > 0 ? sampledItems : 0).map(walk)
    let others = left > 0 ? sampledMembers : 0
    const members = Object.entries(one).filter(([name]) => names.has(name) || others-- > 0)
    return Object.fromEntries(members.map(([name, member]) => [name, walk(member)]))
  }
  return walk(value)
}
