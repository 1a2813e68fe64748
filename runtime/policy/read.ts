import { anyApprover, longestQuota, type Policy, permissions } from '../domain/index.ts'
import { type ErrorPlace, messageOf, TocsinError } from '../errors/index.ts'
import { compilePattern } from '../expressions/index.ts'
import { parseDuration } from '../formats/index.ts'
import { type DocumentPath, hint, inFileOrder, parseYaml, placeAt, validate, type YamlLimits } from '../yaml/index.ts'
import { type DoubtfulApprover, doubtfulApprovers } from './approvers.ts'
import { patternIn, policyOf, type QuotasText, type QuotaText, type RuleText } from './document.ts'
import { checkPolicy, type PolicyDocument } from './grammar.ts'

/** The largest text that a policy may have. */
const policyLimits: YamlLimits = { bytes: 64 * 1_024, lines: 5_000, tokens: 30_000, depth: 20, keys: 1_000, items: 2_000 }

/** What reading a policy must know about a skill. */
interface KnownSkill {
  readonly impact: 'read' | 'write' | 'high'
  /** Whether the skill declares what it acts on. */
  readonly targeted: boolean
  /** Whether the skill sets something until a time. */
  readonly ends: boolean
}

/** The loaded skills, by `<integration>.<skill>`. */
export type KnownSkills = ReadonlyMap<string, KnownSkill>

export interface PolicyRead {
  readonly policy: Policy
  /** Only whoever knows the principals can say whether these are mistakes. */
  readonly doubtful: readonly DoubtfulApprover[]
}

/**
 * Reads a policy. What it leaves out comes from the default policy.
 * @param file the file name for messages
 * @throws TocsinError `yaml_invalid`, `yaml_too_large`, `policy_invalid` with line and column of every
 * mistake
 */
export function readPolicy(text: string, file: string, skills: KnownSkills): PolicyRead {
  const { value, locate } = parseYaml(text, file, policyLimits)
  const faults = validate(checkPolicy, value, locate)
  if (faults.length > 0) throw invalid(file, faults)
  const document = value as unknown as PolicyDocument
  const places: ErrorPlace[] = []
  const tell: Tell = (path, message, part) => void places.push(placeAt(locate, path, message, part))
  const known: Known = (path, name, why, part) => {
    const skill = skills.get(name)
    if (skill === undefined) tell(path, `no loaded plugin has the skill \`${name}\`${hint(name, skills.keys())}`, part)
    else if (skill.impact === 'read') tell(path, `${name} only reads, and reads ${why}`, part)
    return skill === undefined || skill.impact === 'read' ? null : skill
  }
  for (const name of Object.keys(document.approvals?.skills ?? {})) known(['approvals', 'skills', name], name, 'are not asked about', 'key')
  checkQuotas(document.limits?.quotas ?? {}, tell, known)
  for (const name of Object.keys(document.limits?.spans ?? {})) {
    const path = ['limits', 'spans', name]
    const skill = known(path, name, 'set nothing', 'key')
    if (skill && !skill.ends) tell(path, `${name} sets nothing until a time`, 'key')
  }
  for (const [index, rule] of (document.protected ?? []).entries()) checkRule(['protected', index], rule, tell, known)
  const policy = policyOf(document)
  const { by, approvers } = policy.approvals
  const reached = reachable(by)
  if (reached < approvers) tell(['approvals', 'approvers'], `${approvers} must approve, and \`by\` names ${reached}`, 'value')
  if (places.length > 0) throw invalid(file, inFileOrder(places))
  return { policy, doubtful: doubtfulApprovers(by, (index, message) => placeAt(locate, ['approvals', 'by', index], message, 'value')) }
}

type Tell = (path: DocumentPath, message: string, part: 'value' | 'key') => void
/** Looks up a skill that changes something. If there is none of that name, reports that and returns null. */
type Known = (path: DocumentPath, name: string, why: string, part: 'value' | 'key') => KnownSkill | null

const shortestQuota = 1_000

function checkQuotas({ skills = {}, high, write }: QuotasText, tell: Tell, known: Known): void {
  const check = (path: DocumentPath, quota: QuotaText | null | undefined): void => {
    if (!quota) return
    const per = parseDuration(quota.per)
    if (per < shortestQuota || per > longestQuota) tell([...path, 'per'], 'must be 1s to 7d', 'value')
  }
  const at = ['limits', 'quotas']
  check([...at, 'high'], high)
  check([...at, 'write'], write)
  for (const [name, quota] of Object.entries(skills)) {
    known([...at, 'skills', name], name, 'have no quota', 'key')
    check([...at, 'skills', name], quota)
  }
}

function checkRule(at: DocumentPath, { names, match, skills = [] }: RuleText, tell: Tell, known: Known): void {
  for (const [index, name] of skills.entries()) {
    const path = [...at, 'skills', index]
    const skill = known(path, name, 'need no protection', 'value')
    if (skill && !skill.targeted) tell(path, `${name} does not say what it acts on, so it cannot be kept from protected entities`, 'value')
  }
  if (names === undefined && match === undefined) tell(at, 'needs `names` or `match`', 'value')
  const pattern = patternIn(match)
  const fault = pattern === null ? null : patternFault(pattern)
  if (fault !== null) tell([...at, 'match'], `is not a valid pattern: ${fault}`, 'value')
}

function patternFault(pattern: string): string | null {
  try {
    // Compiled exactly as it is used.
    compilePattern(`(?i)${pattern}`)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** Returns how many principals can answer. A name counts as one. A permission or `approver` may belong to anybody. */
function reachable(by: readonly string[]): number {
  const anybody = by.some((who) => who === anyApprover || (permissions as readonly string[]).includes(who))
  return anybody ? Number.POSITIVE_INFINITY : new Set(by).size
}

/** Returns the error for mistakes in a policy, with their places. */
export function invalid(file: string, places: readonly ErrorPlace[]): TocsinError {
  const [first] = places
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : ''
  return new TocsinError('policy_invalid', `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}${more}`, places)
}
