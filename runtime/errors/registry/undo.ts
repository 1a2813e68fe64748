import type { ErrorEntry } from './entry.ts'

/** Errors of an undo: why it does not start, and why a write is not undone. */
export const undo = {
  run_going: {
    status: 409,
    title: 'The run has not ended',
    cause: 'Only a run that has ended can be undone. This one is still running or waiting.',
    remedy: 'Answer its open decisions (`tocsin decision list`). Then cancel it, or wait until it ends.',
  },
  run_undoes: {
    status: 409,
    title: 'The run is an undo',
    cause: 'It undoes what another run wrote. An undo cannot itself be undone, replayed or recorded as a test.',
    remedy: 'To repeat what was undone, investigate the alert again: `tocsin alert retry`.',
  },
  undo_nothing: {
    status: 409,
    title: 'Nothing can be undone',
    cause: 'The run wrote nothing, or none of its writes can be undone.',
    remedy: '`tocsin run undo`, or GET /platformapi/runs/{id}/undo, gives the reason for each write.',
  },
  undo_changed: {
    status: 409,
    title: 'The undo plan has changed',
    cause: 'Another undo, a plugin or a connection has changed the plan since you saw it.',
    remedy: 'Read the new plan, and decide again.',
  },
  undo_incomplete: {
    status: 422,
    title: 'Not everything was undone',
    cause: 'Some calls of the undo failed, were declined, or are in doubt.',
    remedy: 'The case lists them. Undo the run again to continue with the rest, or finish by hand in the external system.',
  },
  undo_no_inverse: {
    status: 422,
    title: 'The skill has no inverse',
    cause: 'No skill undoes what this skill does.',
    remedy: 'Undo the change by hand in the external system, if that is possible.',
  },
  undo_not_happened: {
    status: 422,
    title: 'The write did not happen',
    cause: 'The call failed or was never sent, so it changed nothing.',
    remedy: 'There is nothing to do.',
  },
  undo_in_doubt: {
    status: 422,
    title: 'Nobody knows whether the write happened',
    cause: 'The call was sent, its outcome is unknown, and somebody gave it up.',
    remedy: 'Check in the external system, and undo the change by hand if it happened.',
  },
  undo_partial: {
    status: 422,
    title: 'The write happened in part',
    cause: 'The call makes several changes, and it failed after the first one.',
    remedy: 'Check in the external system what was changed, and undo it by hand.',
  },
  undo_unchanged: {
    status: 422,
    title: 'The write changed nothing',
    cause: 'The external system answered that nothing had to change. An undo would revert what somebody else did.',
    remedy: 'There is nothing to do.',
  },
  undo_uncertain: {
    status: 422,
    title: 'The write may have changed nothing',
    cause:
      'The answer to the write was lost. Afterwards the external system was in the wanted state, but it may have been so before. An undo may revert what somebody else did.',
    remedy: 'Check in the external system. To undo such writes anyway, give `--uncertain` (`"uncertain": true`).',
  },
  undo_unfit: {
    status: 422,
    title: 'The inverse does not fit the call',
    cause: 'The input of the inverse cannot be made from the input and output of this call, or the inverse does not undo this kind of call.',
    remedy: 'Undo the change by hand in the external system.',
  },
  undo_not_kept: {
    status: 422,
    title: 'The input of the write is unknown',
    cause: 'The journal of the run does not hold the input of this write.',
    remedy: 'Look in the case at what the run did, and undo the change by hand.',
  },
  undo_skill_gone: {
    status: 422,
    title: 'The skill is gone',
    cause: 'The plugin is no longer loaded, or it no longer has the skill or its inverse.',
    remedy: 'Load the plugin again, or undo the change by hand.',
  },
  undo_connection_gone: {
    status: 422,
    title: 'The connection is gone',
    cause: 'The connection that the write used was removed, or no longer belongs to the organization.',
    remedy: 'Undo the change by hand in the external system.',
  },
  undo_connection_moved: {
    status: 422,
    title: 'The connection has another address now',
    cause: 'The address of the connection has changed since the write, so it may lead to another system.',
    remedy: 'Undo the change by hand in the system that the write went to.',
  },
  undo_done: {
    status: 422,
    title: 'The write is already undone',
    cause: 'An earlier undo of this run undid it.',
    remedy: 'There is nothing to do.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>
