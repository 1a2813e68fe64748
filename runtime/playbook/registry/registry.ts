import { compilerCodes } from '../compile/index.ts'
import { type FindingEntries, findingsOf } from '../findings/index.ts'
import { clashCodes } from '../lint/clashes.ts'
import type { Rule } from '../lint/rule.ts'
import { rules } from '../lint/rules/index.ts'

type CodesOf<R> = R extends Rule<infer Code> ? Code : never

export type FindingCode = keyof typeof compilerCodes | keyof typeof clashCodes | CodesOf<(typeof rules)[number]>

/** Every code with its entry: those of the compiler, of clashes between files, and of the lint rules. */
export const findingRegistry: FindingEntries<FindingCode> = Object.assign({}, compilerCodes, clashCodes, ...rules.map(({ codes }) => codes))

export const finding = findingsOf(findingRegistry)
