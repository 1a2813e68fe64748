/** What to do about an error, as the API says it, and as the console does: with its pages and buttons instead of addresses and commands. */
const remedies: ReadonlyMap<string, string> = new Map([
  ['Compare with /platformapi/openapi.json.', 'Load the page again. The server may have another version.'],
  ['Create a key with that scope alone: tocsin key create --scopes alerts:write.', 'Create a key with that permission alone: Settings, API keys.'],
  ['Revoke one that nobody needs: tocsin key list, tocsin key revoke <id>.', 'Revoke one that nobody needs: Settings, API keys.'],
  ['List the keys: tocsin key list.', 'All keys are in Settings, API keys.'],
  ['Correct the named parameters.', 'Change the search or the filters, or remove them.'],
  ['`tocsin organization list` and GET /platformapi/organizations list the codes.', 'All codes are in Settings, Organizations.'],
  [
    'Read the current policy (tocsin organization policy show). To replace it, send its revision.',
    'Look at the policy as it is now, and repeat your change.',
  ],
  [
    'GET /platformapi/organizations/{code}/policy lists the latest changes with their revisions.',
    'The latest changes are in Settings, Policy, Changes.',
  ],
  [
    '`tocsin provider list` and GET /platformapi/providers list the codes. `tocsin provider create` adds one.',
    'All codes are in Settings, Providers. You can add one there.',
  ],
  [
    'If the investigation has not ended, wait for status 15 or 20. Otherwise post the alert again, with an alert_type.',
    'If the investigation has not ended, wait until it is Completed or Failed. Otherwise the source has to send the alert again, with a type.',
  ],
  [
    'Work with the case into which it was merged, or take the merge back: DELETE /platformapi/cases/{id}/merge.',
    'Work with the case into which it was merged, or take the merge back: the page of the merged case has a button.',
  ],
  ['Read the case: merged_into says into which case it was merged.', 'Load the page again. Somebody may have taken the merge back.'],
  [
    'Answer them first, or send open_decisions: leave (they stay open) or decline (you decline all of them).',
    'Answer them first, or choose in the dialog whether they stay open or are declined.',
  ],
  ['Read the case: tasks lists them.', 'The page of the case has the tasks that are left.'],
  ['`tocsin decision list` and GET /platformapi/decisions list them.', 'All decisions are in Decisions, "All, newest first".'],
  ['Read the decision. Its answers say who decided what.', 'The page of the decision says who decided what.'],
  ['List the connections: tocsin connection list.', 'All connections are in Integrations.'],
  ['`tocsin agent list` and GET /platformapi/agents list them.', 'All agents are in Integrations, Remote agents.'],
  ['Revoke one that nobody needs: tocsin agent list, tocsin agent revoke <id>.', 'Revoke one that nobody needs: Integrations, Remote agents.'],
  [
    'Remove a connection that nobody needs: tocsin connection list, tocsin connection remove <name>.',
    'Remove a connection that nobody needs: Integrations.',
  ],
  ['`tocsin plugin list` and GET /platformapi/integrations list them.', 'All integrations are in Integrations.'],
  [
    'Read the detail. If a replaced value matters, keep it with `--keep`.',
    'Read what happened above. To keep a value that matters: `tocsin run test`, with `--keep`.',
  ],
  ['`tocsin pause list` and GET /platformapi/pauses list them.', 'All pauses are in Settings, Pauses. Somebody may have resumed it.'],
  ['`tocsin run list` and GET /platformapi/runs list them. The id is the alert_uuid, `-r`, and the attempt.', 'All runs are in Runs.'],
  [
    'GET /platformapi/runs/{id}/steps lists the steps that the run reached, with their addresses.',
    'The page of the run lists the steps that it reached.',
  ],
  [
    'Read the input and output of single steps: GET /platformapi/runs/{id}/step.',
    'Read the input and output of single steps, on the page of the run.',
  ],
  [
    'Try again when Tocsin is less busy. GET /platformapi/runs/{id}/recording has everything that was recorded of the run.',
    'Try again when Tocsin is less busy.',
  ],
  [
    'There is nothing to do, unless the detail names another attempt that still runs: cancel that one. GET /platformapi/runs/{run_id} says how the run ended.',
    'There is nothing to do, unless another attempt is named above that still runs: cancel that one. The page of the run says how it ended.',
  ],
  ['`tocsin playbook list` and GET /platformapi/playbooks list them.', 'All active playbooks are in Playbooks.'],
  ['GET /platformapi/playbooks/{key}/history and `tocsin playbook history` list the versions.', 'The page of the playbook lists its versions.'],
  [
    'Read the current playbook (GET /platformapi/playbooks/{key}). To replace it, send its revision.',
    'Compare your text with the one that is active now. Then activate it again.',
  ],
  [
    '`tocsin webhook list` and GET /platformapi/webhooks list them. Webhooks of all organizations need a key of all organizations.',
    'All webhooks are in Settings, Webhooks. Webhooks of all organizations need a key of all organizations.',
  ],
  ['Remove one that nobody needs: tocsin webhook list, tocsin webhook remove <id>.', 'Remove one that nobody needs: Settings, Webhooks.'],
  ['GET /platformapi/fetches lists them: tocsin fetch list.', 'All fetches are in Settings, Fetches.'],
  ['Read it again, and send the new revision.', 'Look at it as it is now, and repeat your change.'],
  ['Remove one that nobody needs: tocsin fetch list, tocsin fetch remove <id>.', 'Remove one that nobody needs: Settings, Fetches.'],
  ['Change what `errors` names. POST /platformapi/fetches/try shows what a fetch would bring: tocsin fetch try.', 'Change what is named above.'],
  [
    'See what the skill answers: tocsin skill run. Then change items_at. Nothing is lost: the next attempt asks for the same time.',
    'See what the skill answers: Integrations has its connection, where it can be run. Then change items_at. Nothing is lost: the next attempt asks for the same time.',
  ],
  ['GET /platformapi/webhooks/{id}/deliveries lists them.', 'The latest deliveries are in Settings, Webhooks.'],
  ['Withdraw playbooks that nobody needs (`tocsin playbook withdraw`).', 'Withdraw playbooks that nobody needs: the page of each has a button.'],
  ['`tocsin skill list` and GET /platformapi/integrations list the skills.', 'Each integration lists its skills: Integrations.'],
  [
    'Look at what uses the quota (tocsin organization policy usage). Retry the investigation to ask again, or raise the quota.',
    'Look at what uses the quota: Settings, Policy, Quotas. Retry the investigation to ask again, or raise the quota.',
  ],
  [
    'Look at what uses the quota (tocsin organization policy usage). Wait until there is room, or raise the quota (tocsin organization policy set).',
    'Look at what uses the quota: Settings, Policy, Quotas. Wait until there is room, or raise the quota.',
  ],
  [
    'Leave it alone, or remove it from the policy for as long as needed (tocsin organization policy set).',
    'Leave it alone, or remove it from the policy for as long as needed: Settings, Policy.',
  ],
  [
    'Answer its open decisions (`tocsin decision list`). Then cancel it, or wait until it ends.',
    'Answer its open decisions. Then cancel it, or wait until it ends.',
  ],
  [
    'To repeat what was undone, investigate the alert again: `tocsin alert retry`.',
    'To repeat what was undone, retry the alert: its page has a button.',
  ],
  ['`tocsin run undo`, or GET /platformapi/runs/{id}/undo, gives the reason for each write.', 'The dialog gives the reason for each write.'],
  [
    'Check in the external system. To undo such writes anyway, give `--uncertain` (`"uncertain": true`).',
    'Check in the external system. The console undoes no such write; `tocsin run undo --uncertain` does.',
  ],
  [
    'Start the agent, or look at its log: `tocsin agent list` says when it was last here. Tocsin never goes around an agent.',
    'Start the agent, or look at its log. Integrations, Remote agents says when it was last here. Tocsin never goes around an agent.',
  ],
  [
    '`tocsin pause list` shows what is paused, and `tocsin resume` ends a pause. A run then continues by itself. Repeat a manual call.',
    'Settings, Pauses shows what is paused, and resumes it. A run then continues by itself. Repeat a manual call.',
  ],
])

/** Returns what to do about an error for somebody who works in the console. @param remedy as the API says it */
export function remedyHere(remedy: string): string {
  return remedies.get(remedy) ?? remedy
}

/** The remedies of the API that the console says in other words. */
export const saidOtherwise: readonly string[] = [...remedies.keys()]
