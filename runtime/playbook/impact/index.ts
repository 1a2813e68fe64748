/**
 * Computes the most that one run of a playbook may change: how many calls of each skill, on how
 * many targets.
 */
export { type Impact, impactOf, overBudget, type SkillImpact } from './impact.ts'
