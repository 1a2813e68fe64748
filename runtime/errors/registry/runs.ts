import type { ErrorEntry } from './entry.ts'

/** Errors that fail a run or a step. */
export const runs = {
  inputs_missing: {
    status: 422,
    title: 'The alert lacks a required input',
    cause: 'A required input is at none of the places where the playbook looks for it.',
    remedy: "Correct the alert's content at its source, or the input's `from`.",
  },
  inputs_invalid: {
    status: 422,
    title: 'An input has the wrong type or format',
    cause: 'The value in the alert does not match what the playbook declares.',
    remedy: "Correct the alert's content at its source, or the input's declaration.",
  },
  template_failed: {
    status: 422,
    title: 'A template could not be rendered',
    cause: 'The template names a value that does not exist, or a filter refused a value.',
    remedy: 'Correct the template, or give the value a default.',
  },
  condition_failed: {
    status: 422,
    title: 'A condition could not be evaluated',
    cause: 'The condition names a value that does not exist, or compares values of different types.',
    remedy: 'Correct the condition, or give the variable a default.',
  },
  evaluation_exceeded: {
    status: 422,
    title: 'A condition or template takes too much work',
    cause:
      'One evaluation may take 2,000,000 units of work. A step, an item or eight characters count as about one. Usual causes are nested loops, a list that grows in each iteration, and a pattern over long texts. The message says how far it got.',
    remedy: 'Use fewer items or a shorter text, or move the work to a `script` step, which has its own limits of time and memory.',
  },
  run_evaluation_exceeded: {
    status: 422,
    title: 'The conditions and templates of a run take too much work in total',
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
    title: 'A loop has too many items',
    cause: 'The list is longer than max_items. Tocsin fails the step rather than leave items out silently.',
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
    cause: 'It threw an error, or used something that scripts do not have, such as a clock or randomness. Scripts see only their arguments.',
    remedy: 'The message has the error. Correct the script, or its arguments.',
  },
  script_timeout: {
    status: 422,
    title: 'A script took too long',
    cause: 'It reached the timeout of its step. The default is 5 seconds.',
    remedy: 'Look for a loop that does not end, or raise the timeout.',
  },
  script_memory: {
    status: 422,
    title: 'A script used too much memory',
    cause: 'A script may use 64 MiB.',
    remedy: 'Give it less data, or let a skill do the work.',
  },
  script_output_invalid: {
    status: 422,
    title: 'The output of a script is invalid',
    cause: 'It returned a value that the `output` of its step does not allow.',
    remedy: 'Correct the script, or its `output`.',
  },
  impact_exceeded: {
    status: 422,
    title: 'The run would change more than it may',
    cause: "A call would exceed limits.impact of the playbook, of a sub-playbook, or of the organization's policy. It was not sent.",
    remedy: 'Look in the case at what the run did so far. If the playbook is right, raise the budget. If not, narrow what it acts on.',
  },
  branches_failed: {
    status: 422,
    title: 'Too many branches failed',
    cause: 'So many branches of a parallel step failed that its join cannot succeed.',
    remedy: 'The message has the error of each branch. Correct those, or let the join need fewer branches.',
  },
  steps_exceeded: {
    status: 422,
    title: 'The run has too many steps',
    cause: 'The run reached limits.steps.',
    remedy: 'Raise the limit, or look for a loop that grows.',
  },
  run_timeout: {
    status: 422,
    title: 'The run took too long',
    cause: 'The run reached limits.time.',
    remedy: 'Raise the limit, or look for a slow system.',
  },
  output_too_large: {
    status: 422,
    title: 'An output is too large',
    cause: 'The output of a step or a skill has too many characters (limits.output) or values.',
    remedy: 'Request less data, or raise the limit.',
  },
  skill_unknown: {
    status: 422,
    title: 'The skill is unknown',
    cause: 'No loaded plugin has a skill of this name.',
    remedy: '`tocsin skill list` and GET /platformapi/integrations list the skills.',
  },
  skill_input_invalid: {
    status: 422,
    title: 'The input of the skill is invalid',
    cause: "The input breaks the skill's schema. Nothing was sent.",
    remedy: 'Correct the input. In a playbook it is the `with` of the step.',
  },
  end_past: {
    status: 422,
    title: 'The end time of the call is in the past',
    cause:
      'The call sets something until a time that has passed, or that is not a time. Nothing was sent. Approval may have taken longer than the change should last.',
    remedy: 'Give a time in the future. For example, `{{ run.now | plus: 3600000 }}` is an hour from now, in milliseconds.',
  },
  span_too_long: {
    status: 422,
    title: 'The call would last too long',
    cause: "The call sets something until a time that is later than the skill or the organization's policy allows. Nothing was sent.",
    remedy: "Give an earlier time, or allow a longer span in the organization's policy (`limits.spans`).",
  },
  skill_output_invalid: {
    status: 422,
    title: 'The output of the skill is invalid',
    cause: "The answer lacks a value that the skill's output schema requires, or the value has the wrong type. The detail names it.",
    remedy: 'Compare the answer with the skill: the vendor may have changed its API. Only values that the skill needs should be `required`.',
  },
  connection_missing: {
    status: 422,
    title: 'No connection is bound',
    cause: 'The organization has no connection for the integration, or several and no default.',
    remedy: 'Create one, or mark one as the default.',
  },
  role_too_low: {
    status: 422,
    title: "The connection's role is too low for the skill",
    cause: "The role of the connection's credentials does not include the skill's minimum role. The external system was not called.",
    remedy: "Use credentials with a higher role, and set the connection's role.",
  },
  role_not_known: {
    status: 502,
    title: 'The role of the credentials is not known',
    cause: 'The credentials work, but the external system does not say which role they have, or names a role that the integration does not know.',
    remedy:
      "Set the connection's role, so that Tocsin refuses skills that need more before it calls them. If the integration should know the role, report it to the author of the plugin.",
  },
  write_not_confirmed: {
    status: 400,
    title: 'Nothing was run',
    cause: 'The command changes the external system, and nobody confirmed it.',
    remedy: 'Answer y, or give --yes.',
  },
  connection_expired: {
    status: 422,
    title: "The connection's credentials have expired",
    cause: 'The expiry date of the connection has passed. The external system was not called.',
    remedy: 'Save new credentials and a new date.',
  },
  wait_timed_out: {
    status: 422,
    title: 'The wait timed out',
    cause: 'The wait step polled until its at_most, and no answer met its condition.',
    remedy: 'Look in the external system. Give the step more time, or an on_error that continues without the answer.',
  },
  approval_declined: {
    status: 422,
    title: 'The approval was declined',
    cause: 'Somebody declined. The message says who and why.',
    remedy: 'Read the reason. To continue after a decline, give the step that asks an on_error.',
  },
  approval_expired: {
    status: 422,
    title: 'Nobody approved in time',
    cause: 'The approval expired before enough people had approved it.',
    remedy: 'Retry the investigation to ask again, or give the approval more time.',
  },
  quota_declined: {
    status: 422,
    title: 'The quota was full, and the call was declined',
    cause: "The skill had reached its quota in the organization's policy (limits.quotas), and somebody declined the call. Nothing was sent.",
    remedy: 'Read the reason. To continue after a decline, give the step an on_error.',
  },
  quota_expired: {
    status: 422,
    title: 'The quota was full, and nobody approved the call in time',
    cause: "The skill had reached its quota in the organization's policy (limits.quotas). Nothing was sent.",
    remedy: 'Look at what uses the quota (tocsin organization policy usage). Retry the investigation to ask again, or raise the quota.',
  },
  quota_full: {
    status: 422,
    title: 'The quota of the skill is full',
    cause: "Playbooks and manual calls have used up the quota of the skill in the organization's policy (limits.quotas). Nothing was sent.",
    remedy:
      'Look at what uses the quota (tocsin organization policy usage). Wait until there is room, or raise the quota (tocsin organization policy set).',
  },
  entity_protected: {
    status: 422,
    title: 'The target of the call is protected',
    cause: "The organization's policy protects it from such calls (`protected`). Nothing was sent.",
    remedy: 'Leave it alone, or remove it from the policy for as long as needed (tocsin organization policy set).',
  },
  approval_missing: {
    status: 422,
    title: 'The step has no approval',
    cause: 'The approve step that covers it was skipped, not reached, or failed. Nothing was sent.',
    remedy: 'Give the step the same `if` as its approve step, so that it runs only after the approval.',
  },
  approval_stale: {
    status: 422,
    title: 'The step differs from what was approved',
    cause: 'Its input or its connection has changed since people were asked to approve it. Nothing was sent.',
    remedy: 'Put the approve step after the last step that changes what is sent.',
  },
  write_in_doubt: {
    status: 422,
    title: 'Nobody knows whether a write happened',
    cause: 'A write was sent, its outcome is unknown, and the person who was asked gave it up.',
    remedy: 'Look in the external system, then retry the investigation or finish by hand.',
  },
  journal_mismatch: {
    status: 500,
    title: 'A resumed run took another path',
    cause: 'A step rendered an input that differs from the one in the journal. An upgrade may have changed what an expression of the playbook means.',
    remedy:
      'Look in the case at what the run has written, then retry the investigation. If nobody upgraded Tocsin during the run, report this: it is a bug.',
  },
  run_stopped: {
    status: 422,
    title: 'The playbook stopped the run as failed',
    cause: 'The run reached a stop step with the outcome failed. The message has its reason.',
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
    cause: 'Somebody cancelled it. The message and the case say who and, if given, why.',
    remedy: 'Look in the case at what the run did. Retry the investigation to start again from the beginning.',
  },
  investigation_failed: {
    status: 500,
    title: 'The investigation failed unexpectedly',
    cause: 'This is a bug in Tocsin. The log has it under the id of the run.',
    remedy: 'Retry the investigation, and report this.',
  },
} as const satisfies Record<string, ErrorEntry>
