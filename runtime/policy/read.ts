import { anyApprover, defaultPolicy, type Policy, permissions } from '../domain/index.ts'
import { type ErrorPlace, TocsinError } from '../errors/index.ts'
import { type DocumentPath, hint, inFileOrder, parseDuration, parseYaml, placeAt, validate } from '../yaml/index.ts'
import { checkPolicy, type PolicyDocument } from './grammar.ts'

/** The impacts of the skills that are loaded, by `<integration>.<skill>`. */
export type SkillImpacts = ReadonlyMap<string, 'read' | 'write' | 'high'>

/**
 * Reads a policy; what it leaves out is as in the default.
 * @param file what messages call it
 * @throws TocsinError `yaml_invalid`, `policy_invalid` with line and column of every mistake
 */
export function readPolicy(text: string, file: string, skills: SkillImpacts): Policy {
  const { value, locate } = parseYaml(text, file)
  const faults = validate(checkPolicy, value, locate)
  if (faults.length > 0) throw invalid(file, faults)
  const document = value as unknown as PolicyDocument
  const places: ErrorPlace[] = []
  const tell = (path: DocumentPath, message: string, part: 'value' | 'key'): void => void places.push(placeAt(locate, path, message, part))
  for (const name of Object.keys(document.approvals?.skills ?? {})) {
    const impact = skills.get(name)
    const path = ['approvals', 'skills', name]
    if (impact === undefined) tell(path, `no loaded plugin has the skill \`${name}\`${hint(name, skills.keys())}`, 'key')
    else if (impact === 'read') tell(path, `${name} only reads, and reads are not asked about`, 'key')
  }
  const policy = policyOf(document)
  const { by, approvers } = policy.approvals
  const reached = reachable(by)
  if (reached < approvers) tell(['approvals', 'approvers'], `${approvers} must approve, and \`by\` names ${reached}`, 'value')
  if (places.length > 0) throw invalid(file, inFileOrder(places))
  return policy
}

/** How many may answer at least: a name is one of them, a permission or `approver` may be anybody's. */
function reachable(by: readonly string[]): number {
  const anybody = by.some((who) => who === anyApprover || (permissions as readonly string[]).includes(who))
  return anybody ? Number.POSITIVE_INFINITY : new Set(by).size
}

function policyOf({ approvals = {}, limits = {} }: PolicyDocument): Policy {
  const { expires, ...said } = approvals
  return {
    approvals: { ...defaultPolicy.approvals, ...said, ...(expires !== undefined && { expires: parseDuration(expires) }) },
    limits: { impact: { ...defaultPolicy.limits.impact, ...limits.impact } },
  }
}

function invalid(file: string, places: readonly ErrorPlace[]): TocsinError {
  const [first] = places
  const more = places.length > 1 ? ` (and ${places.length - 1} more)` : ''
  return new TocsinError('policy_invalid', `${file}:${first?.line}:${first?.column}: ${first?.field}: ${first?.message}${more}`, places)
}
