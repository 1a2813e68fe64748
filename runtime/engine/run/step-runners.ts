import type { Json } from '../../domain/index.ts'
import type { PlanStep } from '../../playbook/index.ts'
import type { Execution } from './execution.ts'
import type { Frame } from './flow/frame.ts'

/** Runs a step of one kind. */
export type StepRunner<K extends PlanStep['kind']> = (
  execution: Execution,
  frame: Frame,
  step: Extract<PlanStep, { kind: K }>,
  address: string,
) => Promise<Json>

/** Runs steps one after the other. */
export type StepsRunner = (execution: Execution, frame: Frame, steps: readonly PlanStep[]) => Promise<void>

/**
 * Runs a step of a kind that contains steps. It gets `runSteps` as an argument, because `run-steps.ts` imports
 * every kind.
 */
export type NestingRunner<K extends PlanStep['kind']> = (
  execution: Execution,
  frame: Frame,
  step: Extract<PlanStep, { kind: K }>,
  address: string,
  runSteps: StepsRunner,
) => Promise<Json>
