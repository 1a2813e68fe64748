import { parseDuration, parseSize } from '../../formats/index.ts'
import type { PlaybookDocument } from '../grammar/index.ts'
import type { PlanLimits } from '../plan.ts'

const defaultSteps = 1_000
const defaultOutput = '5MiB'
/** Work units, about two seconds of CPU. Only playbooks with nested loops come near it. */
const defaultEvaluation = 200_000_000

export function limitsOf({ limits = {} }: PlaybookDocument): PlanLimits {
  return {
    time: limits.time === undefined ? null : parseDuration(limits.time),
    steps: limits.steps ?? defaultSteps,
    output: parseSize(limits.output ?? defaultOutput),
    evaluation: limits.evaluation ?? defaultEvaluation,
    concurrency: limits.concurrency ?? null,
    impact: { high: limits.impact?.high ?? null, write: limits.impact?.write ?? null, targets: limits.impact?.targets ?? null },
  }
}
