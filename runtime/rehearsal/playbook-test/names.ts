import { isObject, type Json } from '../../domain/index.ts'
import type { Plugin, Skill } from '../../plugin/index.ts'
import { type DocumentPath, hint } from '../../yaml/index.ts'
import { stepAddress } from '../plan-steps.ts'
import { addressAt, placesAt, type StepPlace } from '../step-places.ts'
import { findSkill, type Tell } from './answers.ts'
import type { TestDocument } from './grammar.ts'

/** What the names in a test may refer to. */
interface Known {
  readonly places: readonly StepPlace[]
  /** The integrations of the slots, by slot. */
  readonly slots: Readonly<Record<string, { readonly integration: string }>>
  readonly plugins: ReadonlyMap<string, Plugin>
}

/** What a test says of some calls: `when` of an answer, or one of the expected `calls`. */
interface OfCalls {
  readonly skill?: string
  readonly step?: string
  readonly connection?: string
  readonly with?: Readonly<Record<string, Json>>
}

/**
 * Checks the names of steps, skills, slots and members of inputs that nothing else checks. An expectation of calls that
 * no run can make could be true by accident, and an answer to them would never be given.
 *
 * @param path the place of the test in the file
 */
export function checkNames({ expect, answers = {}, protected: rules = [] }: TestDocument, path: DocumentPath, known: Known, tell: Tell): void {
  const skill = (at: DocumentPath, name: string): Skill | null =>
    findSkill(name, known.plugins, (message) => tell([...path, ...at], message))?.skill ?? null
  const step = (at: DocumentPath, name: string): void => void checkStep(name, known.places, (message) => tell([...path, ...at], message))
  const ofCalls = (at: DocumentPath, said: OfCalls, called: Skill | null): void => checkCalls(said, [...path, ...at], called, known, tell)
  const { calls = [], not_called = [], in_doubt = [], decisions = [], failed_step } = expect
  for (const [index, call] of calls.entries()) {
    const at = ['expect', 'calls', index]
    if (call.skill === undefined && call.step === undefined) tell([...path, ...at], 'must name a skill or a step')
    ofCalls(at, call, call.skill === undefined ? null : skill([...at, 'skill'], call.skill))
  }
  for (const [index, { skills = [] }] of rules.entries()) for (const [nth, name] of skills.entries()) skill(['protected', index, 'skills', nth], name)
  for (const [index, name] of not_called.entries()) skill(['expect', 'not_called', index], name)
  for (const [index, name] of in_doubt.entries()) step(['expect', 'in_doubt', index], name)
  for (const [index, name] of decisions.entries()) step(['expect', 'decisions', index], name)
  if (failed_step !== undefined) step(['expect', 'failed_step'], failed_step)
  for (const [name, given] of Object.entries(answers)) {
    // The answers themselves are checked elsewhere, with the name of their skill.
    const answered = findSkill(name, known.plugins, () => undefined)?.skill ?? null
    if (answered && !known.places.some(({ calls: made }) => made?.skill === name)) {
      tell([...path, 'answers', name], `no step calls ${name}, so nothing would get this answer`, 'key')
      continue
    }
    for (const [index, { when = {} }] of [given].flat().entries())
      ofCalls(Array.isArray(given) ? ['answers', name, index, 'when'] : ['answers', name, 'when'], { ...when, skill: name }, answered)
  }
}

/** Returns the places that a step's id or address means. Reports it if there are none. */
export function checkStep(name: string, places: readonly StepPlace[], tell: (message: string) => void): readonly StepPlace[] {
  const address = stepAddress(name)
  const found = placesAt(address, places)
  if (found.length > 0) return found
  // The calls of a poll and the items of a loop have a number.
  const id = address.split('/').findLast((part) => !/^\d+$/.test(part)) ?? name
  const own = places.filter(({ step }) => step.id === id)
  const ids = places.map(({ step }) => step.id)
  tell(
    own.length === 0
      ? `there is no step \`${id}\`${hint(id, ids)}`
      : `no step has the address \`${name}\`${hint(name, own.map(addressAt)) || `; \`${id}\` has \`${own.map(addressAt).join('` or `')}\``}`,
  )
  return []
}

/** @param skill the called one; null: the test does not say which, or nobody knows it */
function checkCalls(said: OfCalls, at: DocumentPath, skill: Skill | null, known: Known, tell: Tell): void {
  const { connection, with: input = {} } = said
  const slot = connection === undefined ? undefined : known.slots[connection]
  if (connection !== undefined && !slot)
    tell([...at, 'connection'], `there is no slot \`${connection}\`${hint(connection, Object.keys(known.slots))}`)
  else checkPossible(said, at, skill, known, tell)
  const members = skill && membersOf(skill.document.input)
  if (!members) return
  for (const name of Object.keys(input)) {
    if (!members.includes(name)) tell([...at, 'with', name], `the input of the skill has no member \`${name}\`${hint(name, members)}`, 'key')
  }
}

/** Reports a step that makes no such call, and a slot that no such call can use. */
function checkPossible({ skill: named = '', step, connection }: OfCalls, at: DocumentPath, skill: Skill | null, known: Known, tell: Tell): void {
  const [integration] = named.split('.')
  const slot = connection === undefined ? undefined : known.slots[connection]
  if (skill && slot && slot.integration !== integration) {
    tell([...at, 'connection'], `the slot \`${connection}\` is for ${slot.integration}, so ${named} cannot use it`)
    return
  }
  if (step === undefined) return
  const places = checkStep(step, known.places, (message) => tell([...at, 'step'], message))
  const [first] = places
  if (!first) return
  const made = places.flatMap(({ calls }) => calls ?? [])
  const calling = skill ? made.filter((call) => call.skill === named) : made
  if (made.length === 0) tell([...at, 'step'], `\`${step}\` is ${kindText(first)}, which calls no skill itself`)
  else if (calling.length === 0) tell([...at, 'step'], `\`${step}\` calls ${wordsOf(made.map((call) => call.skill))}, not ${named}`)
  else if (slot && !calling.some((call) => call.slot === connection))
    tell([...at, 'connection'], `\`${step}\` uses the slot ${wordsOf(calling.map((call) => `\`${call.slot}\``))}, not \`${connection}\``)
}

function kindText({ step }: StepPlace): string {
  if (step.kind === 'wait') return 'a `wait` step without `poll`'
  return `${/^[aeiou]/.test(step.kind) ? 'an' : 'a'} \`${step.kind}\` step`
}

function wordsOf(names: readonly string[]): string {
  return [...new Set(names)].join(' or ')
}

/** Returns the only members that a value of a schema may have. Null: it may have others, or the schema does not say so plainly. */
function membersOf(schema: Json): readonly string[] | null {
  if (!isObject(schema) || schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) return null
  return isObject(schema['properties']) ? Object.keys(schema['properties']) : null
}
