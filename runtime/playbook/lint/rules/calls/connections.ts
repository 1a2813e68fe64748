import { isObject } from '../../../../domain/index.ts'
import { type CalledSkill, calledBy, type StepNode, slotOf, withNested } from '../../document/index.ts'
import { factOf, factsReading, holds, type State } from '../../flow/index.ts'
import { defineRule, type Report, type Subject } from '../../rule.ts'
import type { KnownConnection } from '../../world.ts'

/** Checks that each slot has a connection, and that the connection's role is high enough. */
export const connections = defineRule({
  codes: {
    slot_may_be_unbound: {
      severity: 'error',
      title: 'An optional slot is used without checking that it is bound',
      why: 'If the organization has no connection for the slot, the step fails, and so does the run. Check `connections.<slot>.bound` first, or give the step an `on_error`.',
      wrong: 'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    skill: mailsec.get_mailsec_issues',
      right:
        'connections: { mail: { integration: mailsec, optional: true } }\nsteps:\n  - id: issues\n    if: { var: connections.mail.bound }\n    skill: mailsec.get_mailsec_issues',
    },
    connection_missing: {
      severity: 'error',
      title: 'A slot has no connection',
      why: 'Every run would fail before its first step. Lint reports this only if it knows the connections: at activation, and with `--connections`.',
      wrong: '- id: account\n  skill: browser.list_browser_accounts',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
    },
    connection_ambiguous: {
      severity: 'error',
      title: 'Several connections fit a slot',
      why: 'Tocsin does not choose at random, so the run fails. Make one connection the default, or let one serve the slot by name (`slots`). Lint reports this only if it knows the connections.',
      wrong: '- id: query\n  skill: crm.list_crm_event_types',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
    },
    connection_role_too_low: {
      severity: 'error',
      title: "The connection's role is too low for the skill",
      why: 'The call would be refused before it is sent. Lint reports this only if it knows the connections and their roles.',
      wrong: '- id: entities\n  skill: mailsec.get_mailsec_trusted_entities',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
    },
    connection_expired: {
      severity: 'error',
      title: "The connection's credentials have expired",
      why: 'Calls over it are refused until someone enters new credentials. Lint reports this only if it knows the connections.',
      wrong: '- id: look\n  skill: mfa.get_mfa_user_details\n  with: { username: ada }',
      right: '- id: issues\n  skill: mailsec.get_mailsec_issues',
    },
  },
  check(subject, report) {
    const told = new Set<string>()
    for (const step of withNested(subject.flow.steps)) {
      const skill = calledBy(step, subject.world)
      if (skill === null || skill.known === null) continue
      const slot = slotOf(step, skill, subject.root['connections'])
      checkBound(step, slot, subject, report)
      if (subject.world.connections !== null) checkServed(step, skill, slot, subject.world.connections, told, subject, report)
    }
  },
})

type Served = 'connection_missing' | 'connection_ambiguous' | 'connection_role_too_low' | 'connection_expired'

function isOptional(slot: string, { root }: Subject): boolean {
  const declared = isObject(root['connections']) ? root['connections'][slot] : undefined
  return isObject(declared) && declared['optional'] === true
}

/** Without a connection the step fails. A step with `on_error` handles that failure too. */
function checkBound(step: StepNode, slot: string, subject: Subject, report: Report<'slot_may_be_unbound'>): void {
  const state = subject.flow.entering.get(step)
  if (state === undefined || !state.reachable || !isOptional(slot, subject) || step.onError !== 'fail') return
  const bound = { var: `connections.${slot}.bound` }
  if (holds(state, factOf(bound, true))) return
  if (asksForSlots(state) && !holds(state, factOf(bound, false))) return
  const at = step.kind === 'wait' ? [...step.path, 'wait', 'poll', 'skill'] : [...step.path, 'skill']
  report.at(
    'slot_may_be_unbound',
    at,
    `the slot \`${slot}\` is optional, and this step fails without a connection; check { var: connections.${slot}.bound } in its \`if\``,
  )
}

/** Returns whether a condition before this place read a connection or a variable. Either may tell whether a slot is bound. */
function asksForSlots(state: State): boolean {
  for (const path of state.readers.facts.keys())
    if (path.startsWith('connections.') || path.startsWith('vars.')) for (const _ of factsReading(state, path)) return true
  return false
}

/** Chooses a connection for each organization, by the same rules as a run. */
function checkServed(
  step: StepNode,
  { integration, name, known }: CalledSkill,
  slot: string,
  all: readonly KnownConnection[],
  told: Set<string>,
  subject: Subject,
  report: Report<Served>,
): void {
  const { playbook } = subject.root
  const place = `${String(playbook)}.${slot}`
  const at = step.kind === 'wait' ? [...step.path, 'wait', 'poll', 'skill'] : [...step.path, 'skill']
  const say = (code: Served, key: string, message: string): void => {
    if (told.has(`${code} ${key}`)) return
    told.add(`${code} ${key}`)
    report.at(code, at, message)
  }
  const minimum = known?.document.minimum_role
  for (const { organization, chosen } of chosenFor(place, integration, all)) {
    const where = organization === null ? '' : ` in ${organization}`
    if (chosen === 'none') {
      if (!isOptional(slot, subject))
        say('connection_missing', `${slot}${where}`, `there is no connection of ${integration}${where} for the slot \`${slot}\``)
    } else if (Array.isArray(chosen)) {
      say(
        'connection_ambiguous',
        `${slot}${where}`,
        `several connections of ${integration}${where} fit the slot \`${slot}\` (${chosen.join(', ')}), and none is the default; make one the default, or let one serve ${place}`,
      )
    } else if (typeof chosen !== 'string') {
      const { role, instance, expired } = chosen as KnownConnection
      if (expired) say('connection_expired', `${slot}${where}`, `the credentials of the connection \`${instance}\`${where} have expired`)
      if (minimum !== undefined && role !== null && !subject.world.roleIncludes(integration, role, minimum)) {
        say(
          'connection_role_too_low',
          `${integration}.${name} ${instance}`,
          `${integration}.${name} needs the role \`${minimum}\`, and the connection \`${instance}\`${where} has \`${role}\``,
        )
      }
    }
  }
}

interface Choice {
  readonly organization: string | null
  readonly chosen: KnownConnection | readonly string[] | 'none'
}

function chosenFor(place: string, integration: string, all: readonly KnownConnection[]): readonly Choice[] {
  const organizations = [...new Set(all.flatMap(({ organization }) => organization ?? []))]
  const fitting = all.filter((connection) => connection.integration === integration)
  const shared = fitting.filter(({ organization }) => organization === null)
  if (organizations.length === 0) return [{ organization: null, chosen: choose(shared, place) }]
  return organizations.map((organization) => {
    const own = fitting.filter((connection) => connection.organization === organization)
    return { organization, chosen: choose(own.length > 0 ? own : shared, place) }
  })
}

function choose(group: readonly KnownConnection[], place: string): Choice['chosen'] {
  const serving = group.filter(({ slots }) => slots.includes(place))
  if (serving.length > 1) return serving.map(({ instance }) => instance)
  const chosen = serving[0] ?? group.find(({ isDefault }) => isDefault) ?? (group.length === 1 ? group[0] : undefined)
  if (chosen !== undefined) return chosen
  return group.length === 0 ? 'none' : group.map(({ instance }) => instance)
}
