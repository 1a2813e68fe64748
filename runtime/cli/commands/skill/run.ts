import type { Command } from 'commander'
import { parseJson } from '../../../domain/index.ts'
import { messageOf, TocsinError } from '../../../errors/index.ts'
import { type Answer, findTarget, listAll, Refused, request, type Target } from '../../client.ts'
import { mustConfirm } from '../../confirm.ts'
import { connectionPath, findConnection } from '../../find-connection.ts'
import { json as jsonText, plain } from '../../print.ts'
import { remoteCommand, type Shared } from '../../remote-command.ts'

interface RunOptions extends Shared {
  readonly connection: string
  readonly organization?: string
  readonly input: string
  readonly yes?: boolean
}

function readInput(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new TocsinError('body_not_json', `--input: ${messageOf(error)}`)
  }
}

async function skillOf(target: Target, integration: string, name: string): Promise<Answer> {
  for await (const skill of listAll(target, `/platformapi/integrations/${encodeURIComponent(integration)}/skills`))
    if (skill['id'] === name) return skill
  throw new TocsinError('skill_unknown', `${integration} has no skill "${name}".`)
}

/** @param given `<integration>.<skill>`, or only the skill's name: then it is a skill of the connection's integration */
async function runSkill(given: string, options: RunOptions): Promise<Answer> {
  const target = findTarget(options)
  const input = readInput(options.input)
  const named = given.includes('.') ? (given.split('.')[0] ?? '') : null
  // Look up the skill before the connection, so that an unknown integration or skill is the first error.
  const early = named === null ? null : await skillOf(target, named, given)
  const narrow = { ...(named !== null && { integration: named }), ...(options.organization !== undefined && { organization: options.organization }) }
  const connection = await findConnection(target, options.connection, narrow)
  const integration = String(connection['integration'])
  const name = named === null ? `${integration}.${given}` : given
  const skill = early ?? (await skillOf(target, integration, name))
  if (skill['impact'] !== 'read' && !options.yes) {
    const owner = String(connection['organization_code'] ?? 'shared by all organizations')
    const where = `${connection['instance']} (${owner}, ${JSON.stringify(connection['credentials'])})`
    const warnings = (skill['warnings'] as string[]).map((warning) => `  ${warning}\n`).join('')
    const text = `${name} (impact: ${skill['impact']}) changes the external system of ${where}.\n${warnings}Run it? [y/N] `
    await mustConfirm(plain(text), `${name} was not run.`, options)
  }
  return shownWaiting(name, request(target, 'POST', `${connectionPath(connection['id'])}/skills/${encodeURIComponent(name)}`, { input }))
}

/** Counts the seconds on a terminal while the skill runs. Progress messages of the skill are in the log of the runtime. */
async function shownWaiting<T>(name: string, work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  let seconds = 0
  const timer = setInterval(() => process.stderr.write(`\r${name} is running: ${++seconds} s`), 1_000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (seconds > 0) process.stderr.write('\r\u001b[K')
  }
}

export function runCommand(skill: Command): void {
  remoteCommand(skill, 'run <skill>', 'Run a skill once, and print its output or error as JSON. Asks first if the skill writes.')
    .requiredOption('--connection <instance>', 'instance name or id of the connection')
    .option('--organization <code>', 'the organization of the connection, if several have this name')
    .option('--input <json>', "the input, which must match the skill's input schema", '{}')
    .option('--yes', 'do not ask before a write')
    .action(async (name: string, options: RunOptions) => {
      const result = await runSkill(name, options).catch((error: unknown): Answer => {
        if (!(error instanceof Refused)) throw error
        const { code, detail, remedy, errors } = error.problem
        return { ok: false, effect: 'not_sent', code, message: detail, remedy, ...(errors !== undefined && { errors }) }
      })
      console.log(jsonText(result))
      if (result['ok'] !== true) process.exitCode = 1
    })
}
