import type { ErrorEntry } from './entry.ts'

/** Undoing a run: why it is not begun, and why a write is not taken back. */
export const undo = {
  run_going: {
    status: 409,
    title: 'The run has not ended',
    cause: 'What is to be undone is known when a run has ended; this one goes on or waits.',
    remedy: 'Cancel it, or wait for its end; settle its writes in doubt first (`tocsin decision list`).',
  },
  run_undoes: {
    status: 409,
    title: 'The run undoes another one',
    cause: 'It is no investigation: it is neither undone itself, nor replayed, nor made a test of.',
    remedy: 'To do again what was undone, investigate the alert again: `tocsin alert retry`.',
  },
  undo_nothing: {
    status: 409,
    title: 'There is nothing that can be undone',
    cause: 'The run has written nothing, or nothing of what it has written can be taken back.',
    remedy: 'GET /platformapi/runs/{id}/undo, or `tocsin run undo`, says of every write why.',
  },
  undo_changed: {
    status: 409,
    title: 'Undoing it would do something else by now',
    cause: 'Since the plan was shown, another undo, a plugin or a connection has changed what undoing the run does.',
    remedy: 'Look at it again, and decide again.',
  },
  undo_incomplete: {
    status: 422,
    title: 'Not everything was undone',
    cause: 'Some of the calls that take something back failed, were declined, or are in doubt.',
    remedy: 'Its case says which. Undo the run again to go on with what is left, or finish by hand in the external system.',
  },
  undo_no_inverse: {
    status: 422,
    title: 'The skill has no inverse',
    cause: 'No call takes back what this skill does.',
    remedy: 'Take it back by hand in the external system, where that can be done.',
  },
  undo_not_happened: {
    status: 422,
    title: 'The write did not happen',
    cause: 'The call failed, or was never sent: it changed nothing.',
    remedy: 'Nothing is to be done.',
  },
  undo_in_doubt: {
    status: 422,
    title: 'Nobody knows whether the write happened',
    cause: 'The call was sent, its outcome is unknown, and was given up.',
    remedy: 'Look in the external system, and take it back by hand if it happened.',
  },
  undo_partial: {
    status: 422,
    title: 'The write happened in part',
    cause: 'The call made several changes and failed after the first of them.',
    remedy: 'Look in the external system what was changed, and take it back by hand.',
  },
  undo_unchanged: {
    status: 422,
    title: 'The write changed nothing',
    cause: 'The external system answered that it was so before; undoing it would take back what somebody else has done.',
    remedy: 'Nothing is to be done.',
  },
  undo_uncertain: {
    status: 422,
    title: 'It may have been so before',
    cause: 'The answer of the write was lost, and it was found to be so afterwards. Undoing it may take back what somebody else has done before.',
    remedy: 'Look in the external system; to undo such writes all the same, say `--uncertain` (`"uncertain": true`).',
  },
  undo_unfit: {
    status: 422,
    title: 'The inverse does not fit the call',
    cause: 'What takes the skill back cannot be made of what this call was given and answered, or does not take back a call of this kind.',
    remedy: 'Take it back by hand in the external system.',
  },
  undo_not_kept: {
    status: 422,
    title: 'What was written is not known',
    cause: 'The run was made by a version of Tocsin that did not keep the inputs of writes.',
    remedy: 'Its case says what it did; take it back by hand.',
  },
  undo_skill_gone: {
    status: 422,
    title: 'The skill is gone',
    cause: 'The plugin is not loaded any more, or no longer has the skill or its inverse.',
    remedy: 'Load the plugin again, or take it back by hand.',
  },
  undo_connection_gone: {
    status: 422,
    title: 'The connection is gone',
    cause: "The connection that the write went through was deleted, or is not the organization's any more.",
    remedy: 'Take it back by hand in the external system.',
  },
  undo_connection_moved: {
    status: 422,
    title: 'The connection leads elsewhere now',
    cause: 'The address of the connection was changed since the write: its system is not the one that was written to.',
    remedy: 'Take it back by hand in the system that was written to.',
  },
  undo_done: {
    status: 422,
    title: 'It is undone already',
    cause: 'An earlier undo of this run has taken it back.',
    remedy: 'Nothing is to be done.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>
