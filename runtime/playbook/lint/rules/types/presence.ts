import { outlineOf } from '../../../../expressions/index.ts'
import type { DocumentPath } from '../../../../yaml/index.ts'
import { stringsIn } from '../../document/index.ts'
import { conditionReads } from '../../flow/condition-reads.ts'
import { isBooleanAt, isDone, isMissing, isTracked, type Place, type Presence, presenceOf, type Result, type State } from '../../flow/index.ts'
import { templateReads } from '../../flow/template-reads.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'

/**
 * Finds reads without a default of what may be missing: after a branch, a skipped step or a failure. Also finds those of
 * an error that is never there, so that the default always applies.
 */
export const presence = defineRule({
  codes: {
    step_may_not_have_run: {
      severity: 'error',
      title: 'The output of a step is read, but the step may not have run',
      why: "A step has no output if its `if` was false, if its branch was not taken, or if it failed and the playbook continued. A missing value fails a text or a condition, and is left out of a call. Give it a default, or check `steps.<id>.status` in the `if` of the step that reads it, or check a variable that an `on_error` sets. Inside a text, `{% if steps.<id>.status == 'done' %}` checks the same.",
      wrong:
        "- id: look\n  if: { '!=': [{ var: [inputs.user, ''] }, ''] }\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }\n- id: say\n  case: { note: 'The user is {{ steps.look.output.status }}' }",
      right:
        "- id: look\n  if: { '!=': [{ var: [inputs.user, ''] }, ''] }\n  skill: mfa.get_mfa_user_details\n  with: { username: '{{ inputs.user }}' }\n- id: say\n  case: { note: \"The user is {{ steps.look.output.status | default: 'not known' }}\" }",
    },
    step_error_may_be_missing: {
      severity: 'error',
      title: 'The error of a step is read, but the step may not have failed',
      why: '`steps.<id>.error` exists in the `on_error` of the step. After the step, it exists only if the step failed.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n  on_error: continue\n- id: say\n  case: { note: 'It failed with {{ steps.look.error.code }}' }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n  on_error: continue\n- id: say\n  if: { '==': [{ var: steps.look.status }, failed] }\n  case: { note: 'It failed with {{ steps.look.error.code }}' }",
    },
    step_error_never: {
      severity: 'warning',
      title: 'The error of a step is read with a default, but the step never fails there',
      why: 'Unless a step has `on_error`, its failure ends the run, and no later step sees it. So the default always applies. Most often, `on_error: continue` was forgotten.',
      wrong:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n- id: say\n  if: { '==': [{ var: [steps.look.error.code, ''] }, user_not_found] }\n  case: { note: Nobody }",
      right:
        "- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }\n  on_error: continue\n- id: say\n  if: { '==': [{ var: [steps.look.error.code, ''] }, user_not_found] }\n  case: { note: Nobody }",
    },
    var_may_not_be_set: {
      severity: 'error',
      title: 'A variable is read, but may not be set',
      why: 'A variable exists once a `set` step has run. It may be missing if it is set later, in a branch, or in a loop that may have no items.',
      wrong:
        "- id: many\n  if: { '>': [{ length: { var: [inputs.users, []] } }, 5] }\n  set: { risk: high }\n- id: say\n  case: { note: 'Risk {{ vars.risk }}' }",
      right:
        "- id: begin\n  set: { risk: low }\n- id: many\n  if: { '>': [{ length: { var: [inputs.users, []] } }, 5] }\n  set: { risk: high }\n- id: say\n  case: { note: 'Risk {{ vars.risk }}' }",
    },
  },
  check(subject, report) {
    for (const place of subject.flow.places) {
      if (!place.state.reachable) continue
      for (const read of readsOf(place, subject)) {
        if (read.guarded) checkGuarded(read, report)
        else checkRead(read, subject, report)
      }
    }
  },
})

type Code = 'step_may_not_have_run' | 'step_error_may_be_missing' | 'step_error_never' | 'var_may_not_be_set'

interface Read {
  readonly path: readonly string[]
  readonly at: DocumentPath
  readonly offset: number
  readonly state: State
  /** Where it is read: a template that is the whole value, a text with a template in it, or a condition. */
  readonly form: 'whole' | 'text' | 'condition'
  /** Whether something else stands for it if it is missing. */
  readonly guarded: boolean
  /** Whether the compiler has not looked at it, because the template sets a name like its root. */
  readonly hidden: boolean
}

/** Yields the reads of steps and variables that a run can reach. */
function* readsOf({ expression, state }: Place, { root, world }: Subject): Generator<Read> {
  const { form, path, value } = expression
  if (form === 'condition') {
    for (const read of conditionReads(value, path, state)) {
      if (read.state.reachable) yield { ...read, offset: 0, form, hidden: false }
    }
    return
  }
  const isBoolean = (of: readonly string[], known: State): boolean => isBooleanAt(of, known, root)
  for (const { text, path: at } of stringsIn(value, path)) {
    const outline = text.includes('{') ? outlineOf(text, world.filters()) : null
    for (const read of templateReads(outline ?? [], state, isBoolean)) {
      if (!isTracked(read.path) || (read.guarded && !isError(read.path))) continue
      const known = read.state()
      if (known.reachable) yield { ...read, at, state: known, form: /^\{\{[^{}]*\}\}$/.test(text) ? 'whole' : 'text' }
    }
  }
}

function isError([root, , field]: readonly string[]): boolean {
  return root === 'steps' && field === 'error'
}

function checkGuarded({ path, at, offset, state }: Read, report: Report<Code>): void {
  const [root = '', name] = path
  if (name === undefined || !isError(path)) return
  const key = `${root}.${name}`
  // The compiler reports steps that cannot be there at all.
  if (!state.names.has(key) || presenceOf(state, key).may.has('failed')) return
  report.inside(
    'step_error_never',
    at,
    offset,
    `\`${key}.error\` is never there: \`${name}\` cannot have failed here; if its failure is to be seen here, give it \`on_error: continue\``,
  )
}

function checkRead({ path, at, offset, state, form, hidden }: Read, { document, flow }: Subject, report: Report<Code>): void {
  const [root = '', name, field] = path
  if (!isTracked(path) || name === undefined) return
  const key = `${root}.${name}`
  const known = state.names.get(key)
  // The compiler reports steps that cannot be there at all, but not variables.
  if (known === undefined && root === 'steps' && !hidden) return
  const there = presenceOf(state, key)
  const missing = [...there.may].filter((result) => isMissing({ path }, result))
  if (missing.length === 0) return
  const shown = path.slice(0, root === 'steps' ? 3 : 2).join('.')
  const remedy = form === 'condition' ? `give it a default: { var: [${path.join('.')}, …] }` : existing(path, form)
  const say = (code: Code, why: string): void => report.inside(code, at, offset, `\`${shown}\` may be missing: ${why}; ${remedy}`)

  if (root === 'vars') {
    const setters = isDone(there)
      ? ''
      : known === undefined
        ? `no step before this sets \`${name}\``
        : whyMissing(there, missing, `the step that sets \`${name}\``, document.locate)
    return say('var_may_not_be_set', setters)
  }
  if (field === 'error')
    return say(
      'step_error_may_be_missing',
      `only a failed step has an error, and \`${name}\` may have been ${missing
        .filter((result) => result !== 'failed')
        .map(words)
        .join(' or ')}`,
    )
  const stepAt = [...flow.entering.keys()].find(({ id }) => id === name)
  const where = stepAt === undefined ? `step \`${name}\`` : `step \`${name}\` (line ${document.locate(stepAt.path).line})`
  say('step_may_not_have_run', whyMissing(there, missing, where, document.locate))
}

/** What to write instead of a read in a template. */
function existing([root, name, field]: readonly string[], form: 'whole' | 'text'): string {
  if (root !== 'steps' || name === undefined) return 'give it a default (`| default: …`), or read it only where it surely exists'
  const status = field === 'error' ? 'failed' : 'done'
  const where =
    form === 'text'
      ? `inside \`{% if steps.${name}.status == '${status}' %}\``
      : `in a step with \`if: { '==': [{ var: [steps.${name}.status, ''] }, ${status}] }\``
  return `give it a default (\`| default: …\`), or read it ${where}`
}

function words(result: Result): string {
  return result === 'absent' ? 'not reached' : String(result)
}

function whyMissing({ cause }: Presence, missing: readonly Result[], what: string, locate: Subject['document']['locate']): string {
  if (cause === null) return `${what} may not have run`
  const { line } = locate(cause.path)
  switch (cause.kind) {
    case 'skipped':
      return `${what} is skipped if its \`if\` (line ${line}) is false`
    case 'branch':
      return `${what} runs in only one branch of the decision on line ${line}`
    case 'failed':
      return missing.includes('failed')
        ? `${what} may have failed, and the playbook continued (\`on_error\`)`
        : `${what} may not have run if line ${line} failed`
    case 'loop':
      return `${what} is in the loop on line ${line}, which may have no items`
    case 'parallel':
      return `${what} may not have ended when the \`parallel\` on line ${line} continues`
    case 'handler':
      return `${what} runs only in the \`on_error\` of line ${line}`
    case 'stop':
      return `the run may have stopped on line ${line}, and the verdict and the outputs are evaluated then, too, without ${what}`
  }
}
