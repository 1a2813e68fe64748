import { isObject, type Json } from '../../../../domain/index.ts'
import * as typing from '../../../../expressions/typing/index.ts'
import { keysOf } from '../../../compile/index.ts'
import { callsOf, fits, isThere, type PartialInput, partialInput } from '../../document/index.ts'
import { defineRule } from '../../rule.ts'
import { skillOf, typingOf } from '../../typing/index.ts'
import { skillInputs } from './skill-inputs.ts'

/** Checks which inputs of a skill require or exclude each other, by its schema. */
export const jointInputs = defineRule({
  codes: { skill_input_invalid: skillInputs.codes.skill_input_invalid },
  check(subject, report) {
    for (const [step, state] of subject.flow.entering) {
      if (!state.reachable) continue
      for (const { skill, value, path } of callsOf(step)) {
        const schema = skillOf(subject.world, skill)?.document.input
        if (schema === undefined || !isObject(value) || !keysOf(schema).some((keyword) => joining.has(keyword))) continue
        const environment = typingOf(subject).at(step, state)
        const input = partialInput(value, schema, (part) => typing.typeOfTemplate(part, environment, subject.world.filters()).type)
        const joint = Object.fromEntries(Object.entries(schema).filter(([keyword]) => joining.has(keyword)))
        const why = whyUnfit(input, joint, keysOf(schema['properties']))
        if (why === null) continue
        const written = why.member !== null && Object.hasOwn(value, why.member)
        report.at('skill_input_invalid', written ? [...path, why.member ?? ''] : path, why.message, { part: 'key' })
      }
    }
  },
})

/** Keywords about several members. The others are checked member by member. */
const joining: ReadonlySet<string> = new Set([
  ...['dependentRequired', 'dependentSchemas', 'minProperties', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
])

interface Why {
  readonly message: string
  /** The member to report. Null: the whole input. */
  readonly member: string | null
}

type Schema = Readonly<Record<string, Json>>

/** Returns null if the input fits, or may fit. */
function whyUnfit(input: PartialInput, schema: Json, known: readonly string[]): Why | null {
  if (fits(input, schema) !== false) return null
  if (!isObject(schema)) return { message: together, member: null }
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'then' || keyword === 'else') continue
    const own = keyword === 'if' ? { if: value, then: schema['then'] ?? true, else: schema['else'] ?? true } : { [keyword]: value }
    if (fits(input, own) === false) return whyOf(input, keyword, value, schema, known)
  }
  return { message: together, member: null }
}

const together = 'these inputs cannot be combined'

function whyOf(input: PartialInput, keyword: string, value: Json, schema: Schema, known: readonly string[]): Why {
  const parts = Array.isArray(value) ? (value as readonly Json[]) : []
  const entries = Object.entries(isObject(value) ? value : {})
  const inner = (part: Json | undefined): Why => whyUnfit(input, part ?? true, known) ?? { message: together, member: null }
  switch (keyword) {
    case 'required': {
      const missing = parts.map(String).find((name) => isThere(input, name) === false)
      return { message: `\`${missing}\` is required`, member: null }
    }
    case 'properties': {
      const [name = '', needed = true] = entries.find((entry) => fits(input, { properties: Object.fromEntries([entry]) }) === false) ?? []
      return ofMember(input, name, needed)
    }
    case 'dependentRequired':
    case 'dependentSchemas': {
      const [name = '', needed] = entries.find(([one, part]) => fits(input, { [keyword]: { [one]: part } }) === false) ?? []
      const { message, member } = inner(keyword === 'dependentRequired' ? { required: needed ?? [] } : needed)
      return { message: `${message} with \`${name}\``, member }
    }
    case 'minProperties': {
      const given = [...input.keys()]
      const others = known.filter((name) => !given.includes(name)).slice(0, 12)
      return { message: `with ${listed(given)}, at least one of ${listed(others)} is required`, member: null }
    }
    case 'allOf':
      return inner(parts.find((part) => fits(input, part) === false))
    case 'anyOf':
    case 'oneOf': {
      const names = parts.flatMap((part) =>
        isObject(part) && Array.isArray(part['required']) ? (part['required'] as readonly Json[]).map(String) : [],
      )
      const held = names.filter((name) => isThere(input, name) === true)
      if (names.length === 0) return { message: together, member: null }
      if (held.length > 1) return { message: `${listed(held)} exclude each other`, member: held.at(-1) ?? null }
      return { message: `one of ${listed(names)} is required`, member: null }
    }
    case 'not': {
      const names = isObject(value) && Array.isArray(value['required']) ? (value['required'] as readonly Json[]).map(String) : []
      if (names.length > 1) return { message: `${listed(names)} exclude each other`, member: names.at(-1) ?? null }
      return names[0] === undefined ? { message: together, member: null } : { message: `\`${names[0]}\` must not be given`, member: names[0] }
    }
    case 'if': {
      const holds = fits(input, value) === true
      const { message, member } = inner(schema[holds ? 'then' : 'else'])
      const when = whenOf(value, holds)
      return { message: when === '' ? message : `${message} if ${when}`, member }
    }
    default:
      return { message: together, member: null }
  }
}

function ofMember(input: PartialInput, name: string, needed: Json): Why {
  const member = input.get(name)
  if (needed === false) return { message: `\`${name}\` must not be given`, member: name }
  // The default is not accepted here, so the input must be given.
  if (member?.kind === 'known' && member.byDefault) return { message: `\`${name}\` is required`, member: null }
  return { message: `\`${name}\` must be ${typing.show(typing.typeOfSchema(needed))}`, member: name }
}

/** Describes a condition of a schema in words. Empty if it is too complex. */
function whenOf(condition: Json, holds: boolean): string {
  if (!isObject(condition)) return ''
  const [entry, ...more] = Object.entries(condition)
  if (entry === undefined || more.length > 0) return ''
  const [keyword, value] = entry
  if (keyword === 'not') return whenOf(value, !holds)
  if (keyword === 'required' && Array.isArray(value)) return `${listed((value as readonly Json[]).map(String))} is ${holds ? '' : 'not '}given`
  const [property, ...others] = keyword === 'properties' && isObject(value) ? Object.entries(value) : []
  if (property === undefined || others.length > 0 || !isObject(property[1]) || property[1]['const'] === undefined) return ''
  return `\`${property[0]}\` is ${holds ? '' : 'not '}${JSON.stringify(property[1]['const'])}`
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}
