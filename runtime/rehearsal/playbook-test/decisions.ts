import type { Decision } from '../../domain/index.ts'
import type { PlanStep } from '../../playbook/index.ts'
import { type DocumentPath, hint, parseDuration } from '../../yaml/index.ts'
import type { GivenDecision, People } from '../people.ts'
import { stepAddress } from '../plan-steps.ts'
import { isAt, type Tell } from './answers.ts'
import type { DecisionDocument } from './grammar.ts'

const kinds = ['approve', 'doubt', 'expire'] as const

/** The people of a test; each rehearsal has its own of them. What is wrong is told, and left out. */
export function preparePeople(
  documents: Readonly<Record<string, DecisionDocument | readonly DecisionDocument[]>>,
  path: DocumentPath,
  steps: ReadonlyMap<string, PlanStep>,
  tell: Tell,
): () => People {
  const prepared = new Map<string, readonly GivenDecision[]>()
  for (const [name, given] of Object.entries(documents)) {
    const step = steps.get(name.split('/').at(-1) ?? name)
    if (!step) {
      tell([...path, name], `there is no step \`${name}\`${hint(name, steps.keys())}`, 'key')
      continue
    }
    const list = isList(given) ? given.map((one, index) => ({ one, at: [...path, name, index] })) : [{ one: given, at: [...path, name] }]
    prepared.set(
      name,
      list.flatMap(({ one, at }) => prepare(one, at, step, tell) ?? []),
    )
  }
  return () => new TestPeople(prepared)
}

function isList(given: DecisionDocument | readonly DecisionDocument[]): given is readonly DecisionDocument[] {
  return Array.isArray(given)
}

function prepare(document: DecisionDocument, path: DocumentPath, step: PlanStep, tell: Tell): GivenDecision | null {
  const said = kinds.filter((kind) => document[kind] !== undefined)
  const [kind] = said
  if (kind === undefined || said.length > 1) {
    tell(path, `must say one of ${kinds.join(', ')}${said.length > 1 ? `, and says ${said.join(' and ')}` : ''}`)
    return null
  }
  if (kind === 'doubt' && step.kind !== 'skill') tell([...path, kind], `${step.id} writes nothing that could be in doubt`, 'key')
  if (kind !== 'doubt' && step.kind !== 'approve') tell([...path, kind], `${step.id} asks for no approval`, 'key')
  if (kind === 'expire') {
    if (step.kind === 'approve' && step.expires === null) tell([...path, kind], `${step.id} does not expire`, 'key')
    return { kind: 'expire' }
  }
  const { approve, doubt, by, reason, after, output } = document
  if (output !== undefined && doubt !== 'happened') tell([...path, 'output'], '`output` belongs to `doubt: happened`', 'key')
  const verdict = doubt ?? (approve === true ? 'approve' : 'decline')
  return {
    kind: 'answer',
    after: after === undefined ? 0 : parseDuration(after),
    verdict,
    by: by === undefined ? [] : typeof by === 'string' ? [by] : by,
    reason: reason ?? null,
    output: output ?? null,
  }
}

class TestPeople implements People {
  readonly #prepared: ReadonlyMap<string, readonly GivenDecision[]>
  readonly #asked = new Map<string, number>()

  constructor(prepared: ReadonlyMap<string, readonly GivenDecision[]>) {
    this.#prepared = prepared
  }

  decide(decision: Decision): GivenDecision | null {
    const step = stepAddress(decision.step)
    const name = this.#prepared.has(step) ? step : [...this.#prepared.keys()].find((one) => isAt(one, step))
    if (name === undefined) return null
    const list = this.#prepared.get(name) ?? []
    const number = this.#asked.get(name) ?? 0
    this.#asked.set(name, number + 1)
    return list[number] ?? list.at(-1) ?? null
  }
}
