import type { ErrorEntry } from './entry.ts'

/** What a request names, and how it stands. */
export const things = {
  organization_unknown: {
    status: 422,
    title: 'The organization is unknown',
    cause: "No organization within the key's reach has this code.",
    remedy: 'GET /platformapi/organizations lists the codes.',
  },
  organization_exists: {
    status: 409,
    title: 'The organization code is taken',
    cause: 'An organization has this code already; codes differ by more than case.',
    remedy: 'Choose another code.',
  },
  provider_unknown: {
    status: 422,
    title: 'The provider is unknown',
    cause: 'No provider has this code.',
    remedy: 'GET /platformapi/providers lists the codes; POST adds one.',
  },
  provider_exists: {
    status: 409,
    title: 'The provider code is taken',
    cause: 'A provider has this code already; codes differ by more than case.',
    remedy: 'Choose another code.',
  },
  alert_unknown: {
    status: 404,
    title: 'There is no such alert',
    cause: "No alert within the key's reach has this id.",
    remedy: 'Check the id; it is the alert_id or the alert_uuid.',
  },
  alert_not_retriable: {
    status: 409,
    title: 'The investigation cannot be started again',
    cause: 'The alert has no type, or its investigation has not ended.',
    remedy: 'Wait for status 15 or 20.',
  },
  case_unknown: {
    status: 404,
    title: 'There is no such case',
    cause: "No case within the key's reach has this id.",
    remedy: 'Check the id; it looks like ACME-12.',
  },
  decision_unknown: {
    status: 404,
    title: 'There is no such decision',
    cause: "No decision within the key's reach has this id.",
    remedy: 'GET /platformapi/decisions lists them.',
  },
  decision_closed: {
    status: 409,
    title: 'The decision is closed',
    cause: 'It was answered before, or its run has ended; a decision is answered once.',
    remedy: 'Read the decision; its answers say who decided what.',
  },
  decision_expired: {
    status: 409,
    title: 'The time to answer is over',
    cause: "The answer came after the decision's expires_at.",
    remedy: 'Retry the investigation; it asks again.',
  },
  decision_not_yours: {
    status: 403,
    title: 'The decision is for others to answer',
    cause: "The playbook names who may answer (`by`); the key's principal is not among them, by name or by permission.",
    remedy: 'Let one of those answer whom the decision names.',
  },
  decision_answered: {
    status: 409,
    title: 'You have answered this decision',
    cause: 'It needs several approvers, and they are different principals.',
    remedy: 'Let somebody else answer.',
  },
  decision_verdict_invalid: {
    status: 422,
    title: 'The decision is not answered so',
    cause: 'An approval is answered with approve or decline; a write in doubt with happened, repeat or give_up.',
    remedy: 'Read the kind of the decision, and answer with one of its verdicts.',
  },
  connection_unknown: {
    status: 404,
    title: 'There is no such connection',
    cause: "No connection within the key's reach has this id.",
    remedy: 'List the connections.',
  },
  connection_exists: {
    status: 409,
    title: 'The instance name is taken',
    cause: 'A connection of this organization has this instance name.',
    remedy: 'Choose another name.',
  },
  connection_changed: {
    status: 409,
    title: 'The connection was changed meanwhile',
    cause: 'Somebody else saved the connection first.',
    remedy: 'Read it again and repeat the change.',
  },
  connection_default_exists: {
    status: 409,
    title: 'There is a default already',
    cause: 'Another connection of this organization (or of the shared ones) is the default of the integration.',
    remedy: 'Take the mark from that one first; runs that pinned it then end, and a retry uses the new one.',
  },
  connection_ambiguous: {
    status: 409,
    title: 'Several connections have this instance name',
    cause: 'Instance names are unique in an organization only.',
    remedy: "Name the organization, or give the connection's id.",
  },
  connection_invalid: {
    status: 400,
    title: 'The connection cannot be saved',
    cause: 'A credential field is missing or breaks a rule of its integration; `errors` names each.',
    remedy: 'Correct the named fields.',
  },
  integration_unknown: {
    status: 422,
    title: 'The integration is unknown',
    cause: 'No plugin of this id is loaded.',
    remedy: 'GET /platformapi/integrations lists them.',
  },
  integration_not_found: {
    status: 404,
    title: 'There is no such integration',
    cause: 'No plugin of the id in the path is loaded.',
    remedy: 'GET /platformapi/integrations lists them.',
  },
  run_not_recordable: {
    status: 422,
    title: 'No test can be made of the run',
    cause:
      'The run is under way, its playbook can be read no more, or a test of it with substitutes for personal data would not go the way that the run went.',
    remedy: 'Read the detail; `--keep` leaves values as they are.',
  },
  run_unknown: {
    status: 404,
    title: 'There is no such run',
    cause: 'No run within reach has this id.',
    remedy: 'GET /platformapi/runs lists them; the id is the alert_uuid, `-r`, and the attempt.',
  },
  playbook_unknown: {
    status: 404,
    title: 'There is no such playbook',
    cause: 'No active playbook has this name or type.',
    remedy: 'GET /platformapi/playbooks lists them.',
  },
  playbook_version_unknown: {
    status: 404,
    title: 'There is no such playbook text',
    cause: "No playbook text of this digest is within the key's reach, or it was never active in this place.",
    remedy: 'GET /platformapi/playbooks/{key}/history lists the digests of a place.',
  },
  playbook_breaks_others: {
    status: 409,
    title: 'Playbooks that are active would not work any more',
    cause: 'A sub-playbook that others run would change so that they no longer fit it, or would be gone; `errors` names them.',
    remedy: 'Change it so that they fit (a new input needs a default), or activate the changed ones together with it.',
  },
  playbook_changed: {
    status: 409,
    title: 'Another playbook was activated meanwhile',
    cause: 'What stands in a place has another revision than was expected; `errors` names each, and what stands.',
    remedy: 'Look at what stands (GET /platformapi/playbooks/{key}), and send its revision if yours is to take its place.',
  },
} as const satisfies Record<string, ErrorEntry>
