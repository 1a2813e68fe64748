/** The types of templates and conditions, worked out before any run, and the problems that they show. */
export { typeOfCondition } from './condition.ts'
export {
  describe,
  type Environment,
  type Fact,
  fitOf,
  forPlaybook,
  LazyFields,
  memberOf,
  show,
  typeOfSchema,
  withFacts,
  withRoots,
} from './model/index.ts'
export * from './model/type.ts'
export type { Problem, ProblemCode } from './problem.ts'
export { factsOfRule } from './rules/index.ts'
export { type Typed, type TypedTemplate, typeOfTemplate } from './template.ts'
