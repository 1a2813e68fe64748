import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { parseDuration } from '../../formats/index.ts'
import type { Plugin, Skill } from '../../plugin/index.ts'
import { type DocumentPath, hint } from '../../yaml/index.ts'
import type { Fixtures } from '../fixtures.ts'
import { completedValue, generatedValue } from '../stand-ins/generated-value.ts'
import { isSubset } from '../subset.ts'
import type { Answers, Asked, Given } from '../types.ts'
import type { AnswerDocument } from './grammar.ts'

/** Reports a mistake in the file. */
export type Tell = (path: DocumentPath, message: string, part?: 'value' | 'key') => void

/** What answers may refer to. */
export interface AnswerWorld {
  readonly plugins: ReadonlyMap<string, Plugin>
  /** Returns the error codes that a call of the integration may fail with. */
  codes(integration: string): readonly string[]
  readonly fixtures: Fixtures
}

interface Prepared {
  readonly given: Given
  /** Null: the probe of a write in doubt gets no answer. */
  readonly verify: Given | null
  readonly when: NonNullable<AnswerDocument['when']>
}

const kinds = ['output', 'generate', 'recorded', 'error', 'lost'] as const

/**
 * Checks the answers of a test against the skills. Reports mistakes and leaves them out. Returns a
 * function that makes the answers for one rehearsal.
 */
export function prepareAnswers(
  documents: Readonly<Record<string, AnswerDocument | readonly AnswerDocument[]>>,
  path: DocumentPath,
  world: AnswerWorld,
  tell: Tell,
): () => Answers {
  const prepared = new Map<string, readonly Prepared[]>()
  for (const [name, given] of Object.entries(documents)) {
    const found = findSkill(name, world.plugins, (message) => tell([...path, name], message, 'key'))
    if (!found) continue
    const list = isList(given) ? given.map((one, index) => ({ one, at: [...path, name, index] })) : [{ one: given, at: [...path, name] }]
    const ready = list.flatMap(({ one, at }) => prepare(one, at, found, world, tell) ?? [])
    prepared.set(name, ready)
  }
  return () => new TestAnswers(prepared)
}

function isList(given: AnswerDocument | readonly AnswerDocument[]): given is readonly AnswerDocument[] {
  return Array.isArray(given)
}

/** Finds the skill with a name `<integration>.<skill>`. If there is none, reports the most similar name. */
export function findSkill(name: string, plugins: ReadonlyMap<string, Plugin>, tell: (message: string) => void): FoundSkill | null {
  const [integration = '', id = ''] = name.split('.')
  const plugin = plugins.get(integration)
  const skill = plugin?.skills.get(id)
  if (plugin && skill) return { plugin, skill }
  if (!plugin) tell(`there is no integration \`${integration}\`${hint(integration, plugins.keys())}`)
  else tell(`${integration} has no skill \`${id}\`${hint(id, plugin.skills.keys())}`)
  return null
}

interface FoundSkill {
  readonly plugin: Plugin
  readonly skill: Skill
}

function prepare(document: AnswerDocument, path: DocumentPath, found: FoundSkill, world: AnswerWorld, tell: Tell): Prepared | null {
  const given = givenOf(document, path, found, world, tell)
  const { verify } = document
  let answered: Given | null = null
  if (verify !== undefined) {
    const probed = found.skill.document.verify?.skill
    const probe = probed === undefined ? null : findSkill(probed, world.plugins, (message) => tell([...path, 'verify'], message, 'key'))
    if (probed === undefined) tell([...path, 'verify'], `${found.plugin.id}.${found.skill.id} has no probe, so it cannot have an answer`, 'key')
    if (probe) answered = givenOf(verify, [...path, 'verify'], probe, world, tell)
  }
  return given && { given, verify: answered, when: document.when ?? {} }
}

function givenOf(document: AnswerDocument, path: DocumentPath, found: FoundSkill, world: AnswerWorld, tell: Tell): Given | null {
  const given = contentOf(document, path, found, world, tell)
  return given && document.after !== undefined ? { ...given, arrives: { after: parseDuration(document.after) } } : given
}

function contentOf(document: AnswerDocument, path: DocumentPath, { plugin, skill }: FoundSkill, world: AnswerWorld, tell: Tell): Given | null {
  const said = kinds.filter((kind) => document[kind] !== undefined)
  const [kind] = said
  if (kind === undefined || said.length > 1) {
    tell(path, `must have exactly one of ${kinds.join(', ')}${said.length > 1 ? `, but has ${said.join(' and ')}` : ''}`)
    return null
  }
  for (const key of ['message', 'effect'] as const)
    if (document[key] !== undefined && kind !== 'error') tell([...path, key], `\`${key}\` belongs to \`error\``, 'key')
  switch (kind) {
    case 'output': {
      const { output = null, strict = true } = document
      if (!strict) return { kind: 'output', output, judge: true }
      const whole = skill.exactOutput(completedValue(output, skill.document.output))
      const faults = skill.checkOutput(whole)
      for (const fault of faults) tell([...path, 'output'], `${plugin.id}.${skill.id} cannot return this: ${fault}; \`strict: false\` allows it`)
      return { kind: 'output', output: whole, judge: true }
    }
    case 'generate': {
      const output = generatedValue(skill.document.output, document.generate === 'required' ? 'required' : 'all')
      for (const fault of skill.checkOutput(output))
        tell(
          [...path, 'generate'],
          `cannot generate an answer that fits the output schema of ${plugin.id}.${skill.id} (${fault}); write an \`output\``,
        )
      return { kind: 'output', output }
    }
    case 'recorded':
      return recorded(document.recorded ?? '', [...path, 'recorded'], { plugin, skill }, world, tell)
    case 'error': {
      const { error: code = '', message = null, effect = null } = document
      const own = skill.document.handler?.errors ?? {}
      const known = [...world.codes(plugin.id), ...Object.keys(own)]
      if (!known.includes(code)) tell([...path, 'error'], `there is no error code \`${code}\`${hint(code, known)}`)
      return { kind: 'failed', code, message, effect }
    }
    case 'lost':
      if (skill.impact === 'read') tell([...path, 'lost'], `${plugin.id}.${skill.id} only reads; write \`error: network\` instead`)
      return document.lost === 'after'
        ? { kind: 'lost' }
        : { kind: 'failed', code: 'network', message: 'the request was lost before it left', effect: 'not_sent' }
  }
}

function recorded(name: string, path: DocumentPath, { plugin, skill }: FoundSkill, { fixtures }: AnswerWorld, tell: Tell): Given | null {
  let output: Json | undefined
  try {
    output = fixtures.output(plugin.id, name)
  } catch (error) {
    tell(path, `the fixture \`${name}\` cannot be read: ${messageOf(error)}`)
    return null
  }
  if (output === undefined) {
    const known = fixtures.names(plugin.id)
    tell(path, known.includes(name) ? `the fixture \`${name}\` has no \`output\`` : `${plugin.id} has no fixture \`${name}\`${hint(name, known)}`)
    return null
  }
  const faults = skill.checkOutput(output)
  if (faults.length > 0) {
    const own = (skill.document.examples ?? []).map((example) => example.fixture).filter((fixture) => fixture !== undefined)
    const which = own.length > 0 ? `; this skill has ${own.map((one) => `\`${one}\``).join(', ')}` : ''
    tell(path, `the fixture \`${name}\` is not an answer of ${plugin.id}.${skill.id}: ${faults[0]}${which}`)
  }
  return { kind: 'output', output, judge: true }
}

class TestAnswers implements Answers {
  readonly #prepared: ReadonlyMap<string, readonly Prepared[]>
  /** How often each group of answers was used. The answers in a group fit the same calls. */
  readonly #asked = new Map<string, number>()
  readonly #last = new Map<string, Prepared>()

  constructor(prepared: ReadonlyMap<string, readonly Prepared[]>) {
    this.#prepared = prepared
  }

  answer(call: Asked): Given | null {
    const all = this.#prepared.get(call.skill) ?? []
    const fitting = all.filter(({ when }) => fits(when, call))
    const particular = fitting.filter(({ when }) => Object.keys(when).length > 0)
    const group = particular.length > 0 ? particular : fitting
    const key = `${call.skill} ${group.map((one) => all.indexOf(one)).join()}`
    const number = this.#asked.get(key) ?? 0
    this.#asked.set(key, number + 1)
    const chosen = group[number] ?? group.at(-1)
    if (!chosen) return null
    this.#last.set(call.step, chosen)
    return chosen.given
  }

  verify(call: Asked): Given | null {
    return this.#last.get(call.step)?.verify ?? null
  }
}

function fits(when: Prepared['when'], call: Asked): boolean {
  if (when.step !== undefined && !isAt(when.step, call.step)) return false
  if (when.connection !== undefined && when.connection !== call.connection) return false
  return when.with === undefined || isSubset(when.with, call.input)
}

/**
 * Tells whether an address belongs to a step: it is the step's address, or it ends with the step's
 * id. Ignores the number of a poll's call.
 */
export function isAt(step: string, address: string): boolean {
  const asked = address.replace(/\/\d+$/, '')
  return [address, asked].some((one) => one === step || one.endsWith(`/${step}`))
}
