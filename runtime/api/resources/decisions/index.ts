/** Decisions: list, read and answer the questions that runs ask people. `open-decision.ts` is the short form for alerts, cases and runs. */
export { OpenDecisionSchema, openDecisionsOf, openDecisionsOfRuns, openDecisionView } from './open-decision.ts'
export { decisionRoutes } from './routes.ts'
export type { DecisionSchema } from './view.ts'
