import {
  type ApprovalRefusal,
  answerableBy,
  approvalRefusals,
  type Decision,
  decisionKinds,
  decisionStates,
  type Millis,
  type OrganizationId,
  quotaSkill,
  verdicts,
  verdictsOf,
} from '../../../domain/index.ts'
import type { CatalogueSkill } from '../../../plugin/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Caller } from '../../auth/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'
import type { ApiServices } from '../../services.ts'
import { continuedIn, MergedIntoSchema, mergedIntoView } from '../shared/index.ts'

const AboutSkillSchema = nullable(
  Type.Object(
    {
      title: Type.String(),
      impact: oneOf(['read', 'write', 'high']),
      warnings: Type.Array(Type.String()),
      undo: nullable(
        Type.Object({
          skill: Type.String({ description: 'The skill that takes the call back.' }),
          conditional: Type.Boolean({ description: 'Whether it takes back only some calls.' }),
        }),
      ),
    },
    { description: 'What the loaded plugin says about the skill. Null: no loaded plugin has it.' },
  ),
)

const ActionSchema = Type.Object({
  step: Type.String({ description: 'Id of the step in the playbook.' }),
  skill: Type.String({ description: '<integration>.<skill>' }),
  about: AboutSkillSchema,
  connection: Type.String({ description: 'The instance.' }),
  connection_id: Type.String(),
  connection_revision: Type.Integer(),
  target: nullable(Type.String({ description: 'The target of the call.' })),
  input: Type.Unknown({ description: 'The input that is sent. If it is very large, its beginning as text.' }),
})

const AnswerSchema = Type.Object({
  principal_uuid: Uuid,
  by: Type.String({ description: "The principal's name." }),
  verdict: oneOf(verdicts),
  reason: nullable(Type.String()),
  output: Type.Unknown({ description: 'For the verdict happened: the output of the write, as the person gave it.' }),
  at: Time,
})

export const DecisionSchema = Type.Object(
  {
    id: Type.String(),
    kind: oneOf(
      decisionKinds,
      'approval: may this be sent? in_doubt: did this write happen? quota: may this be sent although the quota of its skill is full?',
    ),
    state: oneOf(decisionStates, 'settled: a person said whether a write in doubt happened; withdrawn: the run ended before anybody answered.'),
    title: Type.String(),
    organization_code: Type.String(),
    case_id: Type.String(),
    case_merged_into: MergedIntoSchema,
    alert_uuid: Uuid,
    run: Type.String(),
    playbook: Type.String(),
    playbook_digest: Type.String(),
    step: Type.String({ description: 'Address of the step that asks.' }),
    actions: Type.Array(ActionSchema, { description: 'The calls that the decision is about.' }),
    by: Type.Array(Type.String(), {
      description: 'Who may answer: names of principals, permissions, or approver. Empty: everybody with the scope decisions:answer.',
    }),
    approvers: Type.Integer({
      description: 'How many different people must approve. Two keys count as one person if one of them made the other.',
    }),
    quota: nullable(
      Type.Object(
        {
          skill: Type.String({ description: '<integration>.<skill>' }),
          waiting: Type.Integer({
            description: 'How many open decisions of the organization wait for the same quota, including this one while it is open.',
          }),
        },
        { description: 'Null: the decision is not about a quota.' },
      ),
    ),
    may_answer: Type.Boolean({
      description: 'Whether the key of this request may answer it now: it is open, names nobody else, and this principal has not answered yet.',
    }),
    cannot_approve: Type.Unsafe<ApprovalRefusal | null>({
      type: ['string', 'null'],
      enum: [...approvalRefusals, null],
      description:
        'If the key may answer: why it may only decline. one_person: an earlier approver counts as the same person, because one of the two keys made the other. key_newer: the key was made after the decision was opened. key_chain: too many keys made one another before it. Null: it may approve, or not answer at all.',
    }),
    verdicts: Type.Array(oneOf(verdicts), { description: 'The verdicts that this decision takes.' }),
    answers: Type.Array(AnswerSchema, { description: 'Oldest first.' }),
    asked_at: Time,
    expires_at: nullable(Type.Integer({ description: 'Epoch milliseconds; null: it stays open.' })),
    closed_at: nullable(Time),
  },
  { $id: 'Decision', description: 'A question that a run asks people. The run waits for the answer.' },
)

/** Converts decisions for the API. `may_answer` says whether the caller may answer at this time. Each quota is counted once. */
export async function decisionViews(
  { store, integrations, decisions: desk }: Pick<ApiServices, 'store' | 'integrations' | 'decisions'>,
  { scope, principal }: Caller,
  now: Millis,
  decisions: readonly Decision[],
): Promise<Static<typeof DecisionSchema>[]> {
  const skills = await skillsOf(integrations, decisions)
  const answerable = new Set(decisions.filter((decision) => answerableBy(decision, principal, now)))
  const refusals = await desk.approvalRefusals(principal, [...answerable])
  const continued = await continuedIn(
    store,
    scope,
    decisions.map(({ caseId }) => caseId),
  )
  const counts = new Map<string, Promise<number>>()
  const waiting = (organization: OrganizationId, skill: string): Promise<number> => {
    const key = `${organization} ${skill}`
    const count = counts.get(key) ?? store.decisions.waiting(scope, organization, skill)
    counts.set(key, count)
    return count
  }
  return Promise.all(
    decisions.map(async (decision) => {
      const skill = quotaSkill(decision)
      const quota = skill === null ? null : { skill, waiting: await waiting(decision.organization, skill) }
      return {
        ...decisionView(decision, skills, quota, answerable.has(decision), refusals.get(decision.id) ?? null),
        case_merged_into: mergedIntoView(continued, decision.caseId),
      }
    }),
  )
}

/** Reads what the loaded plugins say about the skills that decisions ask about. */
async function skillsOf(integrations: ApiServices['integrations'], decisions: readonly Decision[]): Promise<ReadonlyMap<string, CatalogueSkill>> {
  const named = new Set(decisions.flatMap(({ actions }) => actions.map(({ skill }) => skill.slice(0, skill.indexOf('.')))))
  const found = await Promise.all([...named].map((integration) => integrations.skills(integration)))
  return new Map(found.flatMap((skills) => skills ?? []).map((skill) => [skill.id, skill]))
}

function aboutSkill({ title, impact, warnings, undo }: CatalogueSkill): NonNullable<Static<typeof AboutSkillSchema>> {
  return { title, impact, warnings: [...warnings], undo: undo && { skill: undo.skill, conditional: undo.conditional } }
}

function decisionView(
  decision: Decision,
  skills: ReadonlyMap<string, CatalogueSkill>,
  quota: Static<typeof DecisionSchema>['quota'],
  mayAnswerNow: boolean,
  cannotApprove: ApprovalRefusal | null,
): Omit<Static<typeof DecisionSchema>, 'case_merged_into'> {
  const { caseId, playbook, actions, answers, kind } = decision
  const describe = (skill: string) => {
    const known = skills.get(skill)
    return known ? aboutSkill(known) : null
  }
  return {
    id: decision.id,
    kind,
    state: decision.state,
    title: decision.title,
    // A case id is `<org code>-<number>` (specification 2.3).
    organization_code: caseId.slice(0, caseId.lastIndexOf('-')),
    case_id: caseId,
    alert_uuid: decision.alert,
    run: decision.run,
    playbook: playbook.name,
    playbook_digest: playbook.digest,
    step: decision.step,
    actions: actions.map(({ step, skill, connection, target, input }) => ({
      step,
      skill,
      about: describe(skill),
      connection: connection.instance,
      connection_id: connection.id,
      connection_revision: connection.revision,
      target,
      input,
    })),
    by: [...decision.by],
    approvers: decision.approvers,
    quota,
    may_answer: mayAnswerNow,
    cannot_approve: cannotApprove,
    verdicts: [...verdictsOf(decision)],
    answers: answers.map(({ principal, by, verdict, reason, output, at }) => ({ principal_uuid: principal, by, verdict, reason, output, at })),
    asked_at: decision.askedAt,
    expires_at: decision.expiresAt,
    closed_at: decision.closedAt,
  }
}
