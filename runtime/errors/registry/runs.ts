import type { ErrorEntry } from './entry.ts'

/** What fails a run or a step. */
export const runs = {
  inputs_missing: {
    status: 422,
    title: 'The alert does not have what the playbook needs',
    cause: 'A required input was found at none of the places the playbook looks.',
    remedy: "Correct the alert's content at its source, or the input's `from`.",
  },
  inputs_invalid: {
    status: 422,
    title: 'An input has the wrong type or format',
    cause: 'The value found in the alert is not what the playbook declares.',
    remedy: "Correct the alert's content at its source, or the input's declaration.",
  },
  template_failed: {
    status: 422,
    title: 'A template could not be rendered',
    cause: 'The template names a value that is not there, or a filter refused it.',
    remedy: 'Correct the template, or give the value a default.',
  },
  condition_failed: {
    status: 422,
    title: 'A condition could not be decided',
    cause: 'The condition names a value that is not there, or compares values of different types.',
    remedy: 'Correct the condition, or give the variable a default.',
  },
  evaluation_exceeded: {
    status: 422,
    title: 'A condition or template takes too much work',
    cause:
      'One evaluation may take 2,000,000 units of work; a step, an item or eight characters are about one. The message says how far it came: usually a loop in a loop, a list that grows in each turn, or a pattern over long texts.',
    remedy: 'Look at fewer items or a shorter text, or move it to a `script` step, which has time and memory of its own.',
  },
  run_evaluation_exceeded: {
    status: 422,
    title: 'The conditions and templates of a run take too much work together',
    cause: 'Everything that a run evaluates, in loops and sub-playbooks too, counts against `limits.evaluation` of its playbook.',
    remedy: 'Move what is evaluated very often to a `script` step, or raise `limits.evaluation`.',
  },
  run_too_large: {
    status: 422,
    title: 'A run holds too much data',
    cause:
      'The outputs and variables of its steps together have more than 134,217,728 characters. Each value counts as 32 characters more than its text.',
    remedy: 'Keep only what you need of large answers: a `script` step can extract it, and `limits.output` limits the size of each answer.',
  },
  loop_too_long: {
    status: 422,
    title: 'A loop has more items than it may',
    cause: 'The list is longer than max_items; stopping in silence would leave some untouched.',
    remedy: 'Raise max_items, or narrow the list.',
  },
  loop_not_a_list: {
    status: 422,
    title: 'A loop was given something other than a list',
    cause: 'The value of foreach is not a list.',
    remedy: 'Correct the value.',
  },
  script_failed: {
    status: 422,
    title: 'A script failed',
    cause: 'It threw an error, or wanted what a script does not have: a clock, randomness, anything but its arguments.',
    remedy: 'The message has what it threw; correct the script, or what it is given.',
  },
  script_timeout: {
    status: 422,
    title: 'A script took too long',
    cause: 'It reached the timeout of its step, 5 seconds if none is given.',
    remedy: 'Look for a loop that does not end, or raise the timeout.',
  },
  script_memory: {
    status: 422,
    title: 'A script wanted too much memory',
    cause: 'Scripts have 64 MiB.',
    remedy: 'Give it less, or let a skill do the work.',
  },
  script_output_invalid: {
    status: 422,
    title: "A script's answer does not fit",
    cause: 'It returned something that the `output` of its step does not allow.',
    remedy: 'Correct the script, or its `output`.',
  },
  impact_exceeded: {
    status: 422,
    title: 'The run would change more than it may',
    cause: "A call would go beyond limits.impact of the playbook, of a sub-playbook, or of the organization's policy; it was not sent.",
    remedy: 'Look at what the run did so far in its case; raise the budget where the playbook is right, or narrow what it acts on.',
  },
  branches_failed: {
    status: 422,
    title: 'Too many branches failed',
    cause: 'So many branches of a parallel step failed that its join can no longer be reached.',
    remedy: 'The message has what failed in each; correct that, or let the join need fewer.',
  },
  steps_exceeded: {
    status: 422,
    title: 'The run has more steps than it may',
    cause: 'The run reached limits.steps.',
    remedy: 'Raise the limit, or look for a loop that grows.',
  },
  run_timeout: {
    status: 422,
    title: 'The run took longer than it may',
    cause: 'The run reached limits.time.',
    remedy: 'Raise the limit, or look for a slow system.',
  },
  output_too_large: {
    status: 422,
    title: 'An output is larger than it may be',
    cause: 'The output of a step or a skill has too many characters (limits.output) or values.',
    remedy: 'Ask for less, or raise the limit.',
  },
  skill_unknown: {
    status: 422,
    title: 'The skill is unknown',
    cause: 'No loaded plugin has a skill of this name.',
    remedy: 'GET /platformapi/integrations lists the skills.',
  },
  skill_input_invalid: {
    status: 422,
    title: "The skill's input does not fit",
    cause: "The input breaks the skill's schema; nothing was sent.",
    remedy: "Correct the input; in a playbook it is the step's `with`.",
  },
  end_past: {
    status: 422,
    title: 'What the call would set ends in the past',
    cause:
      'The time until which it would hold is over, or is no time; nothing was sent. People may have taken longer to approve it than it should last.',
    remedy: 'Give a time that lies ahead, for example `{{ run.now | plus: 3600000 }}` in milliseconds: an hour from now.',
  },
  span_too_long: {
    status: 422,
    title: 'What the call would set lasts longer than is allowed',
    cause: "The time until which it would hold lies further ahead than the skill allows, or the organization's policy; nothing was sent.",
    remedy: "Give an earlier time. Who may set the organization's policy can allow another span (`limits.spans`).",
  },
  skill_output_invalid: {
    status: 422,
    title: "The skill's output does not fit",
    cause: "The answer lacks something that the skill's output schema requires, or has it as another kind of value; the detail names it.",
    remedy: 'Compare the answer with the skill; the vendor may have changed its API. What the skill does not need should not be `required`.',
  },
  connection_missing: {
    status: 422,
    title: 'No connection is bound',
    cause: 'The organization has no connection for the integration, or several and no default.',
    remedy: 'Create one, or mark one as the default.',
  },
  role_too_low: {
    status: 422,
    title: "The connection's role is not enough for the skill",
    cause:
      "The connection says which role its credentials have, and the skill's minimum role is not included in it; the external system was not called.",
    remedy: "Use credentials of a higher role and say so in the connection's role.",
  },
  role_not_known: {
    status: 502,
    title: 'The role of the credentials is not known',
    cause: 'The credentials are good, but the external system does not say which role they have, or names one that the integration does not know.',
    remedy:
      'Say the role in the connection, so that skills which need more are refused before they are called. If the integration should know the role, report it to whoever wrote the plugin.',
  },
  write_not_confirmed: {
    status: 400,
    title: 'Nothing was run',
    cause: 'It changes the external system, or may change it once more, and the question whether to go on was not answered with yes.',
    remedy: 'Answer y, or give --yes.',
  },
  connection_expired: {
    status: 422,
    title: "The connection's credentials count as expired",
    cause: "The connection's expiry date is past; the external system was not called.",
    remedy: 'Save new credentials and a new date.',
  },
  wait_timed_out: {
    status: 422,
    title: 'What was waited for did not come',
    cause: 'The poll of a wait step came to its at_most, and no answer had fitted.',
    remedy: 'Look in the external system; give the step more time, or an on_error that goes on without.',
  },
  approval_declined: {
    status: 422,
    title: 'The approval was declined',
    cause: 'Somebody who was asked said no; the message has who and why.',
    remedy: 'Read the reason. An on_error of the step that asked can go another way.',
  },
  approval_expired: {
    status: 422,
    title: 'Nobody approved in time',
    cause: "The approval's time ran out before as many had approved as it needs.",
    remedy: 'Retry the investigation to ask again, or give the approval more time.',
  },
  quota_declined: {
    status: 422,
    title: 'The quota was full, and the call was declined',
    cause:
      "The skill had been called as often as the organization's policy lets it be (limits.quotas), and somebody who was asked said no; nothing was sent.",
    remedy: 'Read the reason. An on_error of the step can go another way.',
  },
  quota_expired: {
    status: 422,
    title: 'The quota was full, and nobody approved the call in time',
    cause: "The skill had been called as often as the organization's policy lets it be (limits.quotas); nothing was sent.",
    remedy:
      'Look at what uses the quota (tocsin organization policy usage). Retry the investigation to ask again, or raise the quota where it is too small.',
  },
  quota_full: {
    status: 422,
    title: 'The quota of the skill is full',
    cause: "The skill was called as often as the organization's policy lets it be (limits.quotas), by playbooks or by hand; nothing was sent.",
    remedy:
      'Look at what uses the quota (tocsin organization policy usage), and wait until there is room; or raise it in the policy (tocsin organization policy set).',
  },
  entity_protected: {
    status: 422,
    title: 'What the call acts on is protected',
    cause: "The organization's policy keeps it from such calls (protected); nothing was sent.",
    remedy: 'Leave it alone; or take it out of the policy for as long as it needs (tocsin organization policy set).',
  },
  approval_missing: {
    status: 422,
    title: 'The step runs only with an approval, and has none',
    cause: 'The approve step that covers it was skipped, not reached, or failed; nothing was sent.',
    remedy: 'Let the step be reached only after its approval, with the same if.',
  },
  approval_stale: {
    status: 422,
    title: 'The step would send something else than was approved',
    cause: 'Its input or its connection has changed since the approval was asked for; nothing was sent.',
    remedy: 'Ask after the last step that changes what is sent.',
  },
  write_in_doubt: {
    status: 422,
    title: 'Nobody knows whether a write happened',
    cause: 'A call that changes the outside world was sent, its outcome is unknown, and the person who was asked gave it up.',
    remedy: 'Look in the external system, then retry the investigation or finish by hand.',
  },
  journal_mismatch: {
    status: 500,
    title: 'A resumed run took another way',
    cause: 'A step rendered another input than the journal holds for it.',
    remedy: 'Retry the investigation, and report this: it is a defect.',
  },
  run_stopped: {
    status: 422,
    title: 'The playbook stopped the run as failed',
    cause: 'A stop step with outcome failed was reached; its reason is the message.',
    remedy: 'Read the reason in the case.',
  },
  process_died: {
    status: 500,
    title: 'Processes kept dying while they worked on the run',
    cause:
      'Several processes of Tocsin died while they worked on this run, so no other process takes it (`TOCSIN_DEATH_LIMIT`). The cause may be what the playbook does with this alert, or something else that kills processes, such as too little memory.',
    remedy:
      'The log says when the processes died. The operating system says why (an out-of-memory kill, for example). Correct the playbook at the step that the message names, or remove what killed the processes. Then retry the investigation by hand.',
  },
  run_cancelled: {
    status: 422,
    title: 'The run was cancelled',
    cause: 'Somebody ended it before its time; the message and its case say who, and why if that was said.',
    remedy: 'Look in the case what it had done by then. Retry the investigation to start again from the beginning.',
  },
  investigation_failed: {
    status: 500,
    title: 'The investigation failed unexpectedly',
    cause: "A fault in the runtime; the log has it under the run's id.",
    remedy: 'Retry the investigation, and report this.',
  },
} as const satisfies Record<string, ErrorEntry>
