/** A key of other products that has another name in Tocsin. */
interface KeyMeant {
  /** Tocsin's key that does the same with the same value. */
  readonly key?: string
  /** What to write if only renaming the key is not enough. */
  readonly told?: string
}

function all(meant: KeyMeant, ...names: readonly string[]): Readonly<Record<string, KeyMeant>> {
  return Object.fromEntries(names.map((name) => [name, meant]))
}

/** Keys of steps in other products. */
const stepKeysMeant: Readonly<Record<string, KeyMeant>> = {
  ...all({ key: 'if' }, 'when', 'condition', 'conditions', 'only_if', 'run_if'),
  ...all({ key: 'foreach' }, 'loop', 'with_items', 'for_each', 'forEach', 'for', 'each', 'iterate'),
  ...all({ key: 'with' }, 'args', 'arguments', 'params', 'parameters', 'input', 'inputs', 'scriptarguments', 'options', 'vars'),
  ...all({ key: 'skill' }, 'action', 'uses', 'task', 'module', 'command', 'call', 'connector', 'operation'),
  ...all({ key: 'as' }, 'loop_var', 'item_name', 'item_var'),
  ...all({ key: 'set' }, 'set_fact', 'assign', 'variables', 'setvar'),
  ...all({ key: 'script' }, 'run', 'code', 'javascript', 'typescript'),
  ...all({ key: 'wait' }, 'sleep', 'delay', 'pause'),
  ...all({ key: 'approve' }, 'approval', 'manual_approval', 'ask'),
  ...all({ key: 'else' }, 'otherwise', 'els'),
  ...all({ key: 'retry' }, 'retries', 'max_retries', 'retry_policy'),
  ...all({ key: 'timeout' }, 'timeout_seconds', 'timeout-minutes', 'time_limit'),
  ...all({ told: 'the `id` names the step; to say what was done, write a note into the case' }, 'name', 'title', 'label', 'description'),
  ...all({ told: 'read the result of a step as `steps.<id>.output`; `set` stores a value under a name' }, 'register', 'outputs', 'result', 'save_as'),
  ...all({ told: 'write `on_error: continue`' }, 'ignore_errors', 'continue-on-error', 'continue_on_error', 'continueonerror', 'failed_when'),
  ...all({ told: 'write `on_error` with a list of steps' }, 'rescue', 'catch', 'on_failure', 'onerror', 'onError'),
  ...all(
    { told: 'steps run in the order of the file; use `if` to choose and `stop` to end the run' },
    'needs',
    'depends_on',
    'next',
    'nexttasks',
    'goto',
    'then_goto',
  ),
  ...all({ told: 'write `switch` with a list of cases, or an `if` in the `else`' }, 'elif', 'elsif', 'else_if', 'elseif'),
  ...all(
    { told: 'put it below `case`, such as `case: { note: <text> }`' },
    ...['note', 'finding', 'severity', 'disposition', 'status', 'comment', 'message', 'log', 'print', 'debug'],
  ),
  ...all({ told: 'to end the run, write `stop: { outcome: completed, reason: <text> }`' }, 'outcome', 'reason', 'end', 'exit', 'return', 'fail'),
  ...all({ told: 'it belongs below `parallel`' }, 'branches', 'join', 'rest'),
  ...all({ told: 'it belongs below `approve`' }, 'approvers', 'by', 'covers', 'expires'),
  ...all({ told: 'it belongs below `wait`' }, 'poll', 'every', 'until', 'at_most'),
  ...all({ told: 'a step has no type; its key, such as `skill`, is its kind' }, 'type', 'kind'),
}

/** Other products' names for keys inside steps and inside the playbook, by the key above them. */
const insideMeant: Readonly<Record<string, Readonly<Record<string, KeyMeant>>>> = {
  approve: {
    ...all({ key: 'expires' }, 'timeout', 'within', 'ttl', 'at_most'),
    ...all({ key: 'by' }, 'approver', 'users', 'groups', 'assignees', 'from'),
    ...all({ key: 'title' }, 'question', 'message', 'prompt', 'text', 'note'),
    ...all({ key: 'approvers' }, 'count', 'required', 'quorum', 'min_approvals'),
    ...all({ key: 'covers' }, 'steps', 'step', 'for'),
  },
  join: all({ key: 'within' }, 'window', 'for', 'time', 'period'),
  duplicates: {
    ...all({ key: 'within' }, 'window', 'for', 'time', 'period', 'ttl', 'suppress_for'),
    ...all({ key: 'fingerprint' }, 'key', 'keys', 'by', 'fields', 'group_by', 'id'),
  },
  retry: {
    ...all({ key: 'attempts' }, 'count', 'max', 'times', 'tries', 'retries', 'limit'),
    ...all({ key: 'delay' }, 'interval', 'wait', 'sleep', 'every'),
  },
  stop: { ...all({ key: 'outcome' }, 'status', 'result', 'state'), ...all({ key: 'reason' }, 'message', 'note', 'text') },
  wait: { ...all({ key: 'for' }, 'duration', 'seconds', 'minutes'), ...all({ key: 'every' }, 'interval'), ...all({ key: 'at_most' }, 'timeout') },
  limits: { ...all({ key: 'time' }, 'timeout', 'duration'), ...all({ key: 'steps' }, 'max_steps') },
}

/** Keys of a case of `switch`. */
const caseKeysMeant: Readonly<Record<string, KeyMeant>> = {
  ...all({ key: 'when' }, 'if', 'case', 'condition', 'match', 'test'),
  ...all({ key: 'steps' }, 'then', 'do', 'actions', 'tasks'),
  ...all({ told: 'the last case is `default: true` with its `steps`' }, 'else', 'otherwise', 'fallback'),
}

/** Returns the meant key for a key inside a step, or inside a key of the playbook. */
export function insideKeyMeant(path: readonly string[]): { readonly told: string } | null {
  // Names of inputs and slots are free. They may equal keys of other products.
  if (path[0] === 'inputs' || path[0] === 'connections') return null
  const [name = '', below = '', above] = path.toReversed()
  const keys = above === 'switch' ? caseKeysMeant : Object.hasOwn(insideMeant, below) ? insideMeant[below] : undefined
  return keys === undefined || !Object.hasOwn(keys, name) ? null : toldOf(keys[name])
}

/** Keys of whole playbooks in other products. */
const rootKeysMeant: Readonly<Record<string, KeyMeant>> = {
  ...all({ key: 'playbook' }, 'name', 'id', 'title'),
  ...all({ key: 'steps' }, 'tasks', 'actions', 'jobs', 'stages', 'workflow'),
  ...all({ key: 'alert_type' }, 'trigger', 'triggers', 'on', 'event', 'alert_types'),
  ...all({ key: 'inputs' }, 'parameters', 'params', 'arguments', 'args'),
  ...all({ key: 'format' }, 'version', 'apiVersion', 'schema_version'),
  ...all({ told: 'an alert starts a run; to wait for a time, use a `wait` step' }, 'schedule', 'cron', 'interval'),
  ...all({ told: 'a step with `set` sets variables' }, 'vars', 'variables', 'env', 'environment'),
  ...all({ told: 'connections store credentials, so a playbook needs none' }, 'secrets', 'credentials', 'auth'),
}

/** Returns the meant key for a key at the top of the file. */
export function rootKeyMeant(name: string): { readonly told: string } | null {
  return Object.hasOwn(rootKeysMeant, name) ? toldOf(rootKeysMeant[name]) : null
}

function toldOf(meant: KeyMeant | undefined): { readonly told: string } {
  return { told: meant?.told === undefined ? `; did you mean \`${meant?.key}\`?` : `; ${meant.told}` }
}

/** Returns advice for an unknown key: the key of other products, and Tocsin's key that does the same. */
export function keyMeant(name: string, known: readonly string[]): { readonly told: string; readonly key?: string } | null {
  const meant = Object.hasOwn(stepKeysMeant, name) ? stepKeysMeant[name] : undefined
  if (meant?.told !== undefined) return { told: `; ${meant.told}` }
  if (meant?.key === undefined || !known.includes(meant.key)) return null
  return { told: `; did you mean \`${meant.key}\`?`, key: meant.key }
}
