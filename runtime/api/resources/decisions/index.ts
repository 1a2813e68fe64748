/** Decisions: list, read and answer the questions that runs put before people. `open-decision.ts` is the short form that alerts, cases and runs show. */
export { OpenDecisionSchema, openDecisionsOf, openDecisionsOfRuns, openDecisionView } from './open-decision.ts'
export { decisionRoutes } from './routes.ts'
export type { DecisionSchema } from './view.ts'
