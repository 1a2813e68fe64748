import type { Decision } from '../../domain/index.ts'
import { parseDuration } from '../../formats/index.ts'
import type { PlanStep, SkillLookup } from '../../playbook/index.ts'
import type { DocumentPath } from '../../yaml/index.ts'
import { idIn, mayBeAsked } from '../coverage/index.ts'
import { stepAddress } from '../plan-steps.ts'
import { approving, type GivenDecision, type People } from '../stand-ins/people.ts'
import type { StepPlace } from '../step-places.ts'
import { isAt, type Tell } from './answers.ts'
import type { DecisionDocument } from './grammar.ts'
import { checkStep } from './names.ts'

const kinds = ['approve', 'doubt', 'expire'] as const

/** Returns the ids or addresses of the steps for which a test answers an approval. */
export function approvalsNamed(documents: Readonly<Record<string, DecisionDocument | readonly DecisionDocument[]>>): readonly string[] {
  const isApproval = ({ approve, expire }: DecisionDocument): boolean => approve !== undefined || expire === true
  return Object.entries(documents).flatMap(([name, given]) => ((isList(given) ? given : [given]).some(isApproval) ? [name] : []))
}

/**
 * Checks the decisions of a test. Reports mistakes and leaves them out. Returns a function that
 * makes the people for one rehearsal.
 */
export function preparePeople(
  documents: Readonly<Record<string, DecisionDocument | readonly DecisionDocument[]>>,
  path: DocumentPath,
  { steps, places, lookup }: { readonly steps: ReadonlyMap<string, PlanStep>; readonly places: readonly StepPlace[]; readonly lookup: SkillLookup },
  tell: Tell,
): () => People {
  const prepared = new Map<string, readonly GivenDecision[]>()
  for (const [name, given] of Object.entries(documents)) {
    const [place] = checkStep(name, places, (message) => tell([...path, name], message, 'key'))
    if (!place) continue
    const list = isList(given) ? given.map((one, index) => ({ one, at: [...path, name, index] })) : [{ one: given, at: [...path, name] }]
    prepared.set(
      name,
      list.flatMap(({ one, at }) => prepare(one, at, place.step, lookup, tell) ?? []),
    )
  }
  return () => new TestPeople(prepared, steps)
}

function isList(given: DecisionDocument | readonly DecisionDocument[]): given is readonly DecisionDocument[] {
  return Array.isArray(given)
}

function prepare(document: DecisionDocument, path: DocumentPath, step: PlanStep, lookup: SkillLookup, tell: Tell): GivenDecision | null {
  const said = kinds.filter((kind) => document[kind] !== undefined)
  const [kind] = said
  if (kind === undefined || said.length > 1) {
    tell(path, `must have exactly one of ${kinds.join(', ')}${said.length > 1 ? `, but has ${said.join(' and ')}` : ''}`)
    return null
  }
  if (kind === 'doubt' && step.kind !== 'skill') tell([...path, kind], `${step.id} is not a skill step, so no write of it can be in doubt`, 'key')
  if (kind !== 'doubt' && step.kind !== 'approve' && !policyMayAsk(step, lookup)) tell([...path, kind], `${step.id} asks for no approval`, 'key')
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

/** The policy never asks before a read. */
function policyMayAsk(step: PlanStep, lookup: SkillLookup): boolean {
  return mayBeAsked(step) && lookup.skill(step.integration, step.skill)?.impact !== 'read'
}

class TestPeople implements People {
  readonly #prepared: ReadonlyMap<string, readonly GivenDecision[]>
  readonly #steps: ReadonlyMap<string, PlanStep>
  readonly #asked = new Map<string, number>()

  constructor(prepared: ReadonlyMap<string, readonly GivenDecision[]>, steps: ReadonlyMap<string, PlanStep>) {
    this.#prepared = prepared
    this.#steps = steps
  }

  decide(decision: Decision): GivenDecision | null {
    const step = stepAddress(decision.step)
    const name = this.#prepared.has(step) ? step : [...this.#prepared.keys()].find((one) => isAt(one, step))
    // What the organization's policy asks about is approved, unless the test says otherwise.
    if (name === undefined) return mayBeAsked(this.#steps.get(idIn(step))) ? approving.decide(decision) : null
    const list = this.#prepared.get(name) ?? []
    const number = this.#asked.get(name) ?? 0
    this.#asked.set(name, number + 1)
    return list[number] ?? list.at(-1) ?? null
  }
}
