import { cutText, type Json, type Millis } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { type Condition, type Context, compileCondition, compileValue, type ValueTemplate } from '../../expressions/index.ts'
import { type CallFailure, type CallResult, nextDelay, type Skill, timeoutOf as skillTimeout } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { callKey } from '../call/send-call.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'

/** A skill's `verify`, compiled. */
interface Probe {
  /** Id of the probe's skill, in the same plugin. */
  readonly skill: string
  readonly with: ValueTemplate
  readonly happened: Condition
  /** Builds the output of the write from the probe's answer. */
  readonly output: ValueTemplate | null
}

/** What a probe found out. `inconclusive`: it could not tell, and why. */
export type Probed =
  | { readonly kind: 'happened'; readonly output: Json }
  | { readonly kind: 'absent' }
  | { readonly kind: 'inconclusive'; readonly why: string }

/** How long a probe may take. No person is asked in the meantime. */
const longestProbe: Millis = 30_000
/** Most characters of the reason. */
const longestWhy = 300

const probes = new WeakMap<Skill, Probe>()

function probeOf(skill: Skill): Probe | null {
  const { verify } = skill.document
  if (!verify) return null
  const standing = probes.get(skill)
  if (standing) return standing
  const made = {
    skill: verify.skill.split('.')[1] ?? '',
    with: compileValue((verify.with ?? {}) as Json),
    happened: compileCondition(verify.happened as Json),
    output: verify.output === undefined ? null : compileValue(verify.output),
  }
  probes.set(skill, made)
  return made
}

/** What a probe needs of an execution, and of the write. */
export type ProbeContext = Pick<WriteContext, 'clock' | 'caller' | 'signal' | 'run' | 'playbooks'>
type ProbedWrite = Pick<PreparedCall, 'address' | 'connection' | 'plugin' | 'skill' | 'input'>

/**
 * Asks the external system whether a write happened. Call it when the write can no longer be on its way.
 * @throws Sleeping if the skill's code found no free slot
 */
export async function probe(execution: ProbeContext, prepared: ProbedWrite): Promise<Probed> {
  const asked = probeOf(prepared.skill)
  const skill = asked && prepared.plugin.skills.get(asked.skill)
  if (!asked || !skill) return inconclusive(prepared, 'the plugin does not have this skill')
  let input: Json
  try {
    const checked = skill.checkInput(asked.with.render({ input: prepared.input }) ?? {})
    if (checked.faults.length > 0) return inconclusive(prepared, `its input is invalid: ${checked.faults.join('; ')}`)
    input = checked.input
  } catch (error) {
    return inconclusive(prepared, `its input cannot be rendered: ${messageOf(error)}`)
  }
  const result = await ask(execution, prepared, skill, input)
  if (!result.ok) {
    checkHandlerStarted(execution, result.failure, true)
    return inconclusive(prepared, reasonOf(result.failure))
  }
  // An unsigned answer proves nothing.
  if (result.unsigned) return inconclusive(prepared, 'its answer is not signed')
  const context = { input: prepared.input, output: result.output }
  try {
    return asked.happened.test(context) ? { kind: 'happened', output: outputOf(prepared.skill, asked, context) } : { kind: 'absent' }
  } catch (error) {
    // The answer lacks a value that the test needs, so the probe could not tell.
    return inconclusive(prepared, messageOf(error))
  }
}

/** Sends the probe. Retries by the manifest's rule for up to 30 seconds, because a network fault is often short. */
async function ask(execution: ProbeContext, { address, connection, plugin }: ProbedWrite, skill: Skill, input: Json): Promise<CallResult> {
  const { clock, caller, signal, run, playbooks } = execution
  const end = clock.now() + longestProbe
  const key = callKey(execution, `${address}#verify`)
  // The host retries a handler's requests.
  const rule = skill.does.kind === 'handler' ? null : plugin.manifest.retry
  for (let tries = 1; ; tries += 1) {
    const timeout = Math.min(skillTimeout(plugin, skill), Math.max(end - clock.now(), 1))
    const call = { organization: run.organization, playbooks, run: run.id, step: `${address}#verify`, connection, plugin, skill, input }
    const result = await caller.call({ ...call, key, timeout, sendBy: null, signal })
    const delay = result.ok || rule === null ? null : nextDelay(rule, result.failure, tries, key)
    if (delay === null || clock.now() + delay >= end) return result
    await clock.sleep(delay, signal)
  }
}

function reasonOf({ code, message }: CallFailure): string {
  return `${code}: ${message}`
}

function inconclusive({ skill }: ProbedWrite, why: string): Probed {
  const text = `${skill.document.verify?.skill ?? 'the probe'} could not tell: ${why}`
  return { kind: 'inconclusive', why: cutText(text, longestWhy) }
}

/** Returns the output of a write that happened. Empty if the output cannot be computed. */
function outputOf(skill: Skill, { output: template }: Probe, context: Context): Json {
  try {
    const { output, broken } = skill.judgeOutput(template?.render(context) ?? {})
    return broken === null ? output : {}
  } catch {
    return {}
  }
}
