import type { Json } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Filters } from '../../expressions/index.ts'
import { bundleScript } from '../../plugin/index.ts'
import { parseYaml } from '../../yaml/index.ts'
import type { Plan } from '../plan.ts'
import { compilePlaybook, examinePlaybook } from './compile.ts'
import { type KnownSkill, noPlaybooks, type SkillLookup } from './lookup.ts'

function skill(impact: KnownSkill['impact'], input: { readonly [key: string]: Json }): KnownSkill {
  return { impact, document: { input: { type: 'object', ...input } } }
}

const filters: Filters = { mail_quote: { quote: '"', escape: '\\' } }
const skills: Readonly<Record<string, Readonly<Record<string, KnownSkill>>>> = {
  mfa: {
    get_user: skill('read', { required: ['username'], properties: { username: { type: 'string' } }, additionalProperties: false }),
    suspend_user: skill('high', { required: ['username'], properties: { username: {}, reason: {} }, additionalProperties: false }),
  },
  mail: { search: skill('read', { properties: { query: { 'x-semantic': 'query' } } }) },
}

/** A small `SkillLookup` for tests. */
export const lookup: SkillLookup = {
  integrations: () => Object.keys(skills),
  skills: (integration) => Object.keys(skills[integration] ?? {}),
  skill: (integration, name) => skills[integration]?.[name] ?? null,
  codes: (integration) => (integration === 'mfa' ? ['network', 'rate_limited', 'user_unknown'] : ['network']),
  filters: () => filters,
  script: bundleScript,
  ...noPlaybooks,
}

/** Returns a playbook with these steps, and these lines above them. */
export function playbook(steps: string, above = ''): string {
  return `format: 1\nplaybook: test\nalert_type: test\n${above}steps:\n${steps.replace(/^\n/, '')}`
}

export function compile(text: string): Plan {
  return compilePlaybook(text, 'test.yaml', lookup)
}

/** Returns the codes of all findings in a playbook, in the order of the file. */
export function codesOf(text: string): string[] {
  return examinePlaybook(parseYaml(text, 'test.yaml'), lookup).findings.map(({ code }) => code)
}

/** Returns all findings in a playbook, each as `line:column field: message`. */
export function faultsOf(text: string): string[] {
  try {
    compile(text)
    return []
  } catch (error) {
    if (!isTocsinError(error) || error.code !== 'playbook_invalid') throw error
    return error.places.map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`)
  }
}
