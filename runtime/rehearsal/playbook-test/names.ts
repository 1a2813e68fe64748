import { isObject, type Json } from '../../domain/index.ts'
import type { PlanStep } from '../../playbook/index.ts'
import type { Plugin, Skill } from '../../plugin/index.ts'
import { type DocumentPath, hint } from '../../yaml/index.ts'
import { stepAddress } from '../plan-steps.ts'
import { findSkill, type Tell } from './answers.ts'
import type { TestDocument } from './grammar.ts'

/** What the names in a test may refer to. */
interface Known {
  readonly steps: ReadonlyMap<string, PlanStep>
  readonly slots: readonly string[]
  readonly plugins: ReadonlyMap<string, Plugin>
}

/** What a test says of some calls: `when` of an answer, or one of the expected `calls`. */
interface OfCalls {
  readonly step?: string
  readonly connection?: string
  readonly with?: Readonly<Record<string, Json>>
}

/**
 * Checks the names of steps, skills, slots and members of inputs that nothing else checks. A misspelt one could make an
 * expectation true by accident.
 *
 * @param path the place of the test in the file
 */
export function checkNames({ expect, answers = {}, protected: rules = [] }: TestDocument, path: DocumentPath, known: Known, tell: Tell): void {
  const skill = (at: DocumentPath, name: string): Skill | null =>
    findSkill(name, known.plugins, (message) => tell([...path, ...at], message))?.skill ?? null
  const step = (at: DocumentPath, name: string): void => checkStep(name, known, (message) => tell([...path, ...at], message))
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
    for (const [index, { when = {} }] of [given].flat().entries())
      ofCalls(Array.isArray(given) ? ['answers', name, index, 'when'] : ['answers', name, 'when'], when, answered)
  }
}

function checkStep(name: string, { steps }: Known, tell: (message: string) => void): void {
  // The calls of a poll and the items of a loop have a number. The requests of a handler have one
  // after `#`.
  const id =
    stepAddress(name)
      .split('/')
      .findLast((part) => !/^\d+$/.test(part)) ?? name
  if (!steps.has(id)) tell(`there is no step \`${id}\`${hint(id, steps.keys())}`)
}

/** @param skill the called one; null: the test does not say which, or nobody knows it */
function checkCalls({ step, connection, with: input = {} }: OfCalls, at: DocumentPath, skill: Skill | null, known: Known, tell: Tell): void {
  if (step !== undefined) checkStep(step, known, (message) => tell([...at, 'step'], message))
  if (connection !== undefined && !known.slots.includes(connection))
    tell([...at, 'connection'], `there is no slot \`${connection}\`${hint(connection, known.slots)}`)
  const members = skill && membersOf(skill.document.input)
  if (!members) return
  for (const name of Object.keys(input)) {
    if (!members.includes(name)) tell([...at, 'with', name], `the input of the skill has no member \`${name}\`${hint(name, members)}`, 'key')
  }
}

/** Returns the only members that a value of a schema may have. Null: it may have others, or the schema does not say so plainly. */
function membersOf(schema: Json): readonly string[] | null {
  if (!isObject(schema) || schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) return null
  return isObject(schema['properties']) ? Object.keys(schema['properties']) : null
}
