import type { Json, Millis } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { type Condition, type Context, compileCondition, compileValue, type ValueTemplate } from '../../expressions/index.ts'
import { type CallFailure, type CallResult, nextDelay, type Skill, timeoutOf as skillTimeout } from '../../plugin/index.ts'
import type { PreparedCall } from '../call/prepared-call.ts'
import { callKey } from '../call/send-call.ts'
import type { WriteContext } from '../run/contexts.ts'
import { checkHandlerStarted } from '../run/wait-until.ts'

/** A skill's `verify`, compiled. */
interface Probe {
  /** Of the same plugin, without its integration. */
  readonly skill: string
  readonly with: ValueTemplate
  readonly happened: Condition
  /** What the write would have answered, of what was found. */
  readonly output: ValueTemplate | null
}

/** What a probe found of a write in doubt. `unsaid`: it could not be evaluated, and why. */
export type Probed =
  | { readonly kind: 'happened'; readonly output: Json }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unsaid'; readonly why: string }

/** A person waits to be asked meanwhile. */
const longestProbe: Millis = 30_000
/** Characters of why a probe could not be evaluated. */
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

/**
 * Asks the target whether a write happened, once the call can no longer be on its way.
 * @throws Sleeping where the skill's code found no slot
 */
export async function probe(execution: WriteContext, prepared: PreparedCall): Promise<Probed> {
  const asked = probeOf(prepared.skill)
  const skill = asked && prepared.plugin.skills.get(asked.skill)
  if (!asked || !skill) return unsaid(prepared, 'the plugin does not have this skill')
  let input: Json
  try {
    const checked = skill.checkInput(asked.with.render({ input: prepared.input }) ?? {})
    if (checked.faults.length > 0) return unsaid(prepared, `its input does not fit: ${checked.faults.join('; ')}`)
    input = checked.input
  } catch (error) {
    return unsaid(prepared, `its input cannot be made: ${messageOf(error)}`)
  }
  const result = await ask(execution, prepared, skill, input)
  if (!result.ok) {
    checkHandlerStarted(execution, result.failure, true)
    return unsaid(prepared, reasonOf(result.failure))
  }
  // What nobody vouches for confirms nothing.
  if (result.unsigned) return unsaid(prepared, 'its answer is not signed')
  const context = { input: prepared.input, output: result.output }
  try {
    return asked.happened.test(context) ? { kind: 'happened', output: outputOf(prepared.skill, asked, context) } : { kind: 'absent' }
  } catch (error) {
    // The answer lacks what the test looks at: the target did not say.
    return unsaid(prepared, messageOf(error))
  }
}

/** Tries again as the manifest says, for as long as a person may wait: what has lost the answer may be over in a moment. */
async function ask(execution: WriteContext, { address, connection, plugin }: PreparedCall, skill: Skill, input: Json): Promise<CallResult> {
  const { clock, caller, signal, run, playbooks } = execution
  const end = clock.now() + longestProbe
  const key = callKey(execution, `${address}#verify`)
  // A handler's requests are tried again by its host.
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

function unsaid({ skill }: PreparedCall, why: string): Probed {
  const text = `${skill.document.verify?.skill ?? 'the probe'} could not tell: ${why}`
  return { kind: 'unsaid', why: text.length > longestWhy ? `${text.slice(0, longestWhy)}…` : text }
}

/** That it happened is known even where what it answered cannot be said. */
function outputOf(skill: Skill, { output: template }: Probe, context: Context): Json {
  try {
    const { output, broken } = skill.judgeOutput(template?.render(context) ?? {})
    return broken === null ? output : {}
  } catch {
    return {}
  }
}
