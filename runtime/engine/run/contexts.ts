import type { Execution } from './execution.ts'

/*
 * What each room sees of an execution. A function takes the smallest of these that has what it needs.
 */

/** For decisions that a replay repeats. */
export type ReplayContext = Pick<Execution, 'replay' | 'journal'>

/** For templates, conditions and large JSON. */
export type EvaluationContext = Pick<Execution, 'turns' | 'run' | 'journal' | 'work'>

/** For waiting, in this process or asleep in the store. */
export type WaitContext = Pick<Execution, 'clock' | 'signal' | 'cancel' | 'checkTime' | 'replay'>

/** For asking people. */
export type DecisionContext = Pick<Execution, 'run' | 'store' | 'clock' | 'journal' | 'waits' | 'cancel' | 'opened' | 'record'> & {
  readonly replay: Pick<Execution['replay'], 'recorded'>
}

/** For recording the outcomes of steps, and reading recorded ones. */
export type OutcomeContext = ReplayContext & Pick<Execution, 'run' | 'store' | 'turns' | 'plan'>

/** For rendering and sending a call. */
export type CallContext = EvaluationContext & Pick<Execution, 'playbooks' | 'connection' | 'plugins' | 'caller' | 'signal'>

/** For waiting before a call is sent again. */
export type RetryContext = WaitContext & ReplayContext & Pick<Execution, 'run' | 'writes'>

/** For deciding whether a call may be sent. */
export type GuardContext = DecisionContext & Pick<Execution, 'policy' | 'currentPolicy' | 'afford' | 'replay' | 'writes'>

/** For the write protocol. */
export type WriteContext = CallContext &
  RetryContext &
  DecisionContext &
  OutcomeContext &
  Pick<Execution, 'organizationCode' | 'unknownWriteLog' | 'pauses'>
