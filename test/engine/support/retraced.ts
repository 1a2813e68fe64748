import type { Run } from '../../../runtime/domain/index.ts'
import { noTurns } from '../../../runtime/fairness/index.ts'
import { createRetraces, type RetracedStep, type Retraces, type Shown, type StepQuery } from '../../../runtime/retrace/index.ts'
import { Bench, done, playbook } from './harness.ts'

/** What the steps of a run saw, from its journal alone. For the tests of retracing. */

export const never = new AbortController().signal
export const all: StepQuery = { within: null, states: null, loops: 'all', after: null, limit: 1_000 }
/** Answers every call with this state. */
export const user: (state: string) => () => ReturnType<typeof done> = (state) => () => done({ state })

/** Steps, content of the alert, sub-playbooks, and further lines of the playbook. */
export type Opening = readonly [steps: string, content?: object, subs?: readonly string[], rest?: string]

export function opened(...[steps, content = {}, subs = [], rest = '']: Opening): Promise<Bench> {
  return Bench.open(playbook(steps, rest), content, subs)
}

function text(shown: Shown | null): string {
  return shown === null ? '' : shown.kind === 'whole' ? JSON.stringify(shown.value) : `${shown.beginning}…`
}

/** Describes a step on one line: its address, kind, state, input and output. */
export function line({ address, kind, state, input, output, failure, handled }: RetracedStep): string {
  const why = failure ? ` ${failure.code}${handled ? ' (handled)' : ''}` : ''
  return `${address} ${kind} ${state}${why}${input ? ` < ${text(input)}` : ''}${output ? ` > ${text(output)}` : ''}`
}

/**
 * Lets a test look at the run of its bench.
 * @param benchOf returns the current bench
 */
export function retracing(benchOf: () => Bench) {
  const retraces = (): Retraces => createRetraces(benchOf().store, { ...benchOf().libraries, turns: noTurns })
  const list = async (query: Partial<StepQuery> = {}, run?: Run) => retraces().list(run ?? (await benchOf().ended()), { ...all, ...query }, never)
  const lines = async (query: Partial<StepQuery> = {}): Promise<readonly string[]> => (await list(query)).items.map(line)
  /** Describes a condition, one line for each part: its result, its rule and the values that it read. */
  async function why(address: string): Promise<readonly string[]> {
    const { why: whys } = await retraces().one(await benchOf().ended(), address, never)
    return whys.flatMap(({ of, index, parts, text: said }) => [
      ...(said === null ? [] : [`${of}: ${said}`]),
      ...parts.map(({ depth, rule, looked, holds, read }) => {
        const values = read.map(({ path, value }) => ` ${path}=${value ? text(value) : 'missing'}`).join('')
        return `${of}${index ?? ''} ${'  '.repeat(depth)}${looked ? holds : '-'} ${rule}${values}`
      }),
    ])
  }
  return { retraces, list, lines, why }
}
