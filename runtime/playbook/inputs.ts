import { type Json, parseJson } from '../domain/index.ts'
import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import { Meter, type WorkBudget, WorkExceeded } from '../expressions/index.ts'
import { contentJson } from './content.ts'
import type { InputSource, Plan, PlanInput } from './plan.ts'

/**
 * Reads a playbook's inputs from an alert's content. Each input gets the first value that fits, or
 * its default. An input that is neither found nor required is absent. Null and empty text count as
 * not found. So does a value that does not fit an input with `unfit: missing`. A value found by a
 * pattern is converted to the input's type.
 *
 * @param together the work budget of the run
 * @throws TocsinError `inputs_missing` names each required input that was not found;
 * `inputs_invalid` names each input whose values do not fit; `evaluation_exceeded`,
 * `run_evaluation_exceeded` if patterns take too much work
 */
export function readInputs(plan: Plan, content: string, together: WorkBudget | null = null): Readonly<Record<string, Json>> {
  const meter = new Meter(together)
  const values: [string, Json][] = []
  const missing: ErrorPlace[] = []
  const unfit: ErrorPlace[] = []
  // Parsed when the first path needs it.
  let parsed: { readonly json: Json | undefined } | undefined
  const json = (): Json | undefined => {
    parsed ??= { json: contentJson(content) }
    return parsed.json
  }
  for (const input of plan.inputs) {
    const found = find(input, content, json, meter)
    const field = `inputs.${input.name}`
    if ('value' in found) values.push([input.name, found.value])
    else if (found.faults.length > 0 && input.unfit === 'error') unfit.push({ field, message: found.faults.join('; ') })
    else if (input.default !== undefined) values.push([input.name, input.default])
    else if (input.required) missing.push({ field, message: `was not found at: ${input.from.map(placeName).join(', ')}` })
  }
  meter.end()
  if (missing.length > 0) throw failure('inputs_missing', [...missing, ...unfit])
  if (unfit.length > 0) throw failure('inputs_invalid', unfit)
  return Object.fromEntries(values)
}

/**
 * Reads a sub-playbook's inputs from the values that the calling step gives it. The rules are those
 * of `readInputs`.
 *
 * @throws TocsinError `inputs_missing`, `inputs_invalid`
 */
export function givenInputs(plan: Plan, given: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const values: [string, Json][] = []
  for (const input of plan.inputs) {
    const field = `inputs.${input.name}`
    const value = given[input.name] ?? ''
    const faults = value === '' ? [] : input.check(value)
    if (faults.length > 0 && input.unfit === 'error') throw failure('inputs_invalid', [{ field, message: `of ${plan.name} ${faults.join('; ')}` }])
    if (value !== '' && faults.length === 0) values.push([input.name, value])
    else if (input.default !== undefined) values.push([input.name, input.default])
    else if (input.required) throw failure('inputs_missing', [{ field, message: `of ${plan.name} is not given` }])
  }
  return Object.fromEntries(values)
}

type Found = { readonly value: Json } | { readonly faults: readonly string[] }

function find(input: PlanInput, content: string, json: () => Json | undefined, meter: Meter): Found {
  const faults: string[] = []
  for (const source of input.from) {
    const value = 'path' in source ? at(json(), source.path) : typed(occurrence(source, content, input, meter), input)
    if (value === undefined || value === null || value === '') continue
    const wrong = input.check(value)
    if (wrong.length === 0) return { value }
    faults.push(...wrong.map((fault) => `${placeName(source)} ${fault}`))
  }
  return { faults }
}

/** Returns what a pattern finds. @throws TocsinError `evaluation_exceeded`, `run_evaluation_exceeded` */
function occurrence(
  { find: look }: Extract<InputSource, { readonly find: unknown }>,
  content: string,
  { name }: PlanInput,
  meter: Meter,
): string | null {
  try {
    return look(content, meter)
  } catch (error) {
    if (!(error instanceof WorkExceeded)) throw error
    meter.end()
    throw meter.failure(`the pattern of inputs.${name}`, error)
  }
}

/** Returns the value at a path. Uses own properties and list indexes only. */
function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined
    if (Array.isArray(current) && !/^(?:0|[1-9]\d*)$/.test(part)) return undefined
    current = (current as Readonly<Record<string, Json>>)[part]
  }
  return current
}

/** Converts text to the input's type. Text that cannot be converted stays text, and does not fit. */
function typed(text: string | null, { schema }: PlanInput): Json {
  const { type } = schema as { readonly type?: Json }
  if (text === null || type === 'string') return text
  if ((type === 'integer' || type === 'number') && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return parseJson(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function placeName(source: InputSource): string {
  return 'path' in source ? ['content', ...source.path].join('.') : 'a pattern in the text'
}

function failure(code: 'inputs_missing' | 'inputs_invalid', places: readonly ErrorPlace[]): TocsinError {
  return new TocsinError(code, places.map(({ field, message }) => `${field} ${message}`).join('; '), places)
}
