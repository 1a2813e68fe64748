import { type Command, Option } from 'commander'
import { isTocsinError } from '../../../../errors/index.ts'
import { impactOf, overBudget } from '../../../../playbook/authoring/index.ts'
import {
  compilePlaybook,
  examinePlaybook,
  type Impact,
  type Plan,
  type PlaybookFile,
  type SkillImpact,
  type SkillLookup,
} from '../../../../playbook/index.ts'
import { parseYaml } from '../../../../yaml/index.ts'
import { checking } from '../../../exit-codes.ts'
import { explainFailure } from '../../../failure.ts'
import { bold, json as jsonText, table } from '../../../print.ts'
import { type OfflineOptions, offlineCommand, offlineFolders, offlineLookup, readPlaybooks } from '../offline.ts'

interface Options extends OfflineOptions {
  readonly format: 'human' | 'json'
}

interface Counted {
  readonly file: string
  readonly plan: Plan
  readonly impact: Impact
}

/** Adds `tocsin playbook impact`. */
export function impactCommand(playbook: Command): void {
  const command = offlineCommand(
    playbook,
    'impact [paths...]',
    'Show the most that one run of a playbook can do: calls by skill, roles, connections, approvals.',
  )
    .addOption(new Option('--format <format>', 'output format').choices(['human', 'json']).default('human'))
    .addHelpText(
      'after',
      '\nExit status: 0 if all playbooks are within their budgets; 1 if one does not compile or exceeds its budget; 2 if the command failed.',
    )
  checking(command, showImpact)
}

async function showImpact(paths: readonly string[], options: Options): Promise<void> {
  const folders = offlineFolders(options)
  const files = await readPlaybooks(paths, folders)
  const lookup = await offlineLookup(folders, files)
  const counted = files.flatMap((file) => count(file, lookup))
  if (counted.some(({ plan, impact }) => overBudget(plan, impact).length > 0)) process.exitCode = 1
  const [only] = counted
  if (options.format === 'human') console.log(counted.map(text).join('\n\n'))
  else if (!alone(paths, files)) console.log(jsonText(counted.map(viewOfFile)))
  else if (only) console.log(jsonText(view(only)))
}

/** Returns true if the only path names one file: then the JSON output is one object. For a folder or several paths it is a list. */
function alone(paths: readonly string[], files: readonly PlaybookFile[]): boolean {
  return paths.length === 1 && files.length === 1 && files[0]?.file === paths[0]
}

/** Counts the calls of a playbook. If it does not compile, prints why, returns nothing and fails the command. A loop without a bound is allowed. */
function count({ file, text }: PlaybookFile, lookup: SkillLookup): readonly Counted[] {
  try {
    const { sketch } = examinePlaybook(parseYaml(text, file), lookup)
    const plan = sketch ?? compilePlaybook(text, file, lookup)
    return [{ file, plan, impact: impactOf(plan, lookup) }]
  } catch (error) {
    if (!isTocsinError(error)) throw error
    console.error(explainFailure(error))
    process.exitCode = 1
    return []
  }
}

function view({ impact: { high, write, read, targets, skills, unbounded } }: Counted): object {
  return { high, write, read, targets, skills: skills.map(skillView), unbounded }
}

function viewOfFile(counted: Counted): object {
  return { file: counted.file, playbook: counted.plan.name, ...view(counted) }
}

function skillView({ skill, impact, maxCalls, role, connection, approval }: SkillImpact): object {
  return { skill, impact, max_calls: maxCalls, role, connection, approval }
}

const approvals = { step: 'a step asks', policy: "the organization's policy may ask", none: '' } as const

function text({ file, plan, impact }: Counted): string {
  const { high, write, read, targets, skills, unbounded } = impact
  const rows = skills.map(({ skill, impact, maxCalls, role, connection, approval }) => [
    skill,
    impact,
    number(maxCalls),
    connection,
    role,
    approvals[approval],
  ])
  return [
    bold(`${file}: ${plan.name}`),
    `at most ${number(high)} high-impact, ${number(write)} write and ${number(read)} read calls, on ${number(targets)} different targets`,
    ...verdict({ file, plan, impact }),
    ...unbounded.map((step) => `the loop ${step} has no bound: give it max_items`),
    ...(rows.length > 0 ? [table(['SKILL', 'IMPACT', 'CALLS', 'CONNECTION', 'ROLE', 'APPROVAL'], rows)] : ['no calls']),
  ].join('\n')
}

/** Compares the impact with the playbook's own budget. */
function verdict({ plan, impact }: Counted): readonly string[] {
  if (Object.values(plan.limits.impact).every((limit) => limit === null)) return ['no budget: limits.impact is not set']
  const over = overBudget(plan, impact)
  if (over.length === 0) return ['within the budget of limits.impact']
  return over.map(({ name, most, limit }) => `OVER BUDGET: ${number(most)} ${name}, but limits.impact.${name} is ${limit}`)
}

function number(count: number): string {
  return count === Number.MAX_SAFE_INTEGER ? 'unlimited' : String(count)
}
