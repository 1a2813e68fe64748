import type { Command } from 'commander'
import { durationText } from '../../formats/index.ts'
import { count } from '../arguments.ts'
import { type Answer, findTarget, request } from '../client.ts'
import { readInput } from '../files.ts'
import { json as jsonText, plain, time } from '../print.ts'
import { remoteCommand, type Shared } from '../remote-command.ts'
import { quotaText, usageText } from '../views/index.ts'

interface SetOptions extends Shared {
  readonly revision?: number
}

const pathOf = (code: string): string => `/platformapi/organizations/${encodeURIComponent(code)}/policy`

/** `tocsin organization policy`. */
export function policyCommand(organization: Command): void {
  const policy = organization
    .command('policy')
    .description('Show and set the policy of an organization: approvals, limits, quotas and protected entities.')
  remoteCommand(policy, 'show <code>', 'Show the policy of an organization, and who changed it.').action(async (code: string, options: Shared) =>
    print(await request(findTarget(options), 'GET', pathOf(code)), options),
  )
  remoteCommand(policy, 'usage <code>', 'Show how full the quotas of an organization are.').action(async (code: string, options: Shared) => {
    const usage = await request(findTarget(options), 'GET', `${pathOf(code)}/usage`)
    console.log(options.json ? jsonText(usage) : usageText(usage))
  })
  remoteCommand(policy, 'set <code> [file]', 'Set the policy of an organization from a YAML file, or from standard input.')
    .option('--revision <number>', 'only if this is the current revision (0: there is none)', count)
    .action(async (code: string, file: string | undefined, options: SetOptions) => {
      const text = readInput(file ?? '-')
      const { revision } = options
      const body = { text, file: file ?? 'stdin', ...(revision !== undefined && { revision }) }
      print(await request(findTarget(options), 'PUT', pathOf(code), body), options)
    })
}

function print(policy: Answer, { json }: Shared): void {
  console.log(json ? jsonText(policy) : policyText(policy))
}

/** Returns a policy for people: its rules, and who changed it. */
function policyText({ organization_code: code, revision, approvals, limits, protected: rules, changes }: Answer): string {
  const { high, skills, by, approvers, expires } = approvals as Answer
  const { impact, quotas, spans } = limits as Readonly<Record<'impact' | 'quotas' | 'spans', Answer>>
  const quotaOf = (name: string, quota: unknown): string => `  ${plain(name)}: ${quotaText(quota as Answer | null)}`
  const asked = Object.entries({ ...(skills as Answer) }).map(([skill, answer]) => `  ${plain(skill)}: ${plain(answer)}`)
  const limit = (name: string): string => `${name} ${impact[name] === null ? 'unlimited' : plain(impact[name])}`
  return [
    `${plain(code)}: ${revision === 0 ? 'no policy set; these are the defaults' : `policy revision ${plain(revision)}`}`,
    `high-impact calls without an approve step: ${plain(high)}`,
    ...asked,
    `approvers: ${plain((by as readonly string[]).join(', '))}; ${plain(approvers)} must approve within ${durationText(Number(expires))}`,
    `limits of a run: ${['high', 'write', 'targets'].map(limit).join(', ')}`,
    'quotas, counted for each skill:',
    quotaOf('high', quotas['high']),
    quotaOf('write', quotas['write']),
    ...Object.entries(quotas['skills'] as Answer).map(([skill, quota]) => quotaOf(skill, quota)),
    ...Object.entries(spans).map(
      ([skill, span]) => `longest duration of ${plain(skill)}: ${span === null ? 'unlimited' : durationText(Number(span))}`,
    ),
    ...protectedText(rules as readonly Answer[]),
    ...(changes as readonly Answer[]).map(
      (change) =>
        `revision ${plain(change['revision'])}: ${time(change['changed_at'])} by ${plain(change['changed_by_name'] ?? change['changed_by'])}`,
    ),
  ].join('\n')
}

function protectedText(rules: readonly Answer[]): readonly string[] {
  if (rules.length === 0) return ['protected: nothing']
  const lines = rules.map(({ names, pattern, skills, reason }) => {
    const what = [...(names as readonly string[]), ...(pattern === null ? [] : [`/${plain(pattern)}/`])].map(plain).join(', ')
    const from = skills === null ? 'everything' : (skills as readonly string[]).map(plain).join(', ')
    return `  ${what} from ${from}: ${plain(reason)}`
  })
  return ['protected:', ...lines]
}
