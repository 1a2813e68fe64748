import type { Json } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Plan } from '../../playbook/index.ts'
import { rehearse } from '../rehearse.ts'
import { generatedValue } from '../stand-ins/generated-value.ts'
import type { Rehearsed, RehearsedCall } from '../types.ts'
import type { World } from '../world.ts'
import { type Mismatch, mismatches } from './expectations.ts'
import type { PreparedTest, TestFile } from './load.ts'
import type { Problem } from './problem.ts'

/** The result of one test. */
export interface TestResult {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly milliseconds: number
  /** Empty if the test passed. */
  readonly problems: readonly Problem[]
  /** Null if the test has mistakes, or the rehearsal failed. */
  readonly rehearsed: Rehearsed | null
}

/** Runs one test. @param stopwatch returns milliseconds since some fixed time */
export async function runTest(world: World, { file, playbook, locate }: TestFile, test: PreparedTest, stopwatch: () => number): Promise<TestResult> {
  const about = { name: test.name, file, line: locate(test.path).line }
  // What a test with mistakes would show has no meaning.
  if (test.mistakes.length > 0) return { ...about, milliseconds: 0, problems: test.mistakes, rehearsed: null }
  const began = stopwatch()
  const { rehearsed, found } = await outcomeOf(world, playbook.plan, test)
  return {
    ...about,
    milliseconds: stopwatch() - began,
    problems: found.map(({ path, message, differences }) => {
      const { line, column } = locate(path)
      return { line, column, field: path.join('.'), message, differences }
    }),
    rehearsed,
  }
}

interface Outcome {
  readonly rehearsed: Rehearsed | null
  readonly found: readonly Mismatch[]
}

async function outcomeOf(world: World, plan: Plan, test: PreparedTest): Promise<Outcome> {
  let rehearsed: Rehearsed
  try {
    rehearsed = await rehearse({
      ...test.circumstances,
      ...(test.inputs && { inputs: test.inputs }),
      plan,
      plugins: world.plugins,
      answers: test.answers(),
      people: test.people(),
      asked: test.asked,
      protected: test.protected,
    })
  } catch (error) {
    // The test gives an answer that the decision does not accept.
    if (!isTocsinError(error) || !error.code.startsWith('decision_')) throw error
    return { rehearsed: null, found: [{ path: [...test.path, 'decisions'], message: error.message, differences: [] }] }
  }
  const unanswered = rehearsed.unanswered.map((call) => ({ path: [...test.path, 'answers'], message: whatToWrite(world, call), differences: [] }))
  // Without an answer, the rest of the run is unknown. So the expectations are not checked yet.
  return { rehearsed, found: unanswered.length > 0 ? unanswered : mismatches(test.expect, rehearsed, [...test.path, 'expect']) }
}

/** Says what to add to a test if a call has no answer. */
function whatToWrite(world: World, { step, skill, input }: RehearsedCall): string {
  const [integration = '', id = ''] = skill.split('.')
  const output: Json = generatedValue(world.plugins.get(integration)?.skills.get(id)?.document.output ?? {}, 'required')
  return `${step} calls ${skill} with ${JSON.stringify(input)}, but the test has no answer for it. Add one under \`answers\`, for example:\n  ${skill}: { output: ${JSON.stringify(output)} }`
}
