import type { Activation, OrganizationId, Scope } from '../../../domain/index.ts'
import type { Finding, Impact, PlaybookKind } from '../../../playbook/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { Store } from '../../../storage/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import { type Names, namesOf, organizationCodesOf } from '../shared/index.ts'

export const kinds = ['playbook', 'sub_playbook'] as const satisfies readonly PlaybookKind[]

/** Chooses the place of a key: an organization's or the shared one, of an alert type or a sub-playbook. */
export const placeParameters = {
  organization: Type.Optional(
    Type.String({ maxLength: 256, description: 'Organization code, for the playbook of this organization. Absent: the shared one.' }),
  ),
  kind: Type.Optional(oneOf(kinds, '`playbook` (if absent): the key is an alert type; `sub_playbook`: it is the name of a sub-playbook.')),
}

export const PlaybookSchema = Type.Object(
  {
    key: Type.String({ description: 'The alert type, normalised, or the name of a sub-playbook.' }),
    kind: oneOf(kinds),
    name: Type.String(),
    alert_type: nullable(Type.String({ description: 'Normalised: NFKC, trimmed, lower case. Null: a sub-playbook.' })),
    organization_code: nullable(Type.String({ description: 'Null: for all organizations.' })),
    digest: Type.String({ description: 'The digest of its text.' }),
    source: oneOf(['folder', 'edited', 'generated']),
    revision: Type.Integer({ description: 'How many activations and withdrawals this place has had, this one included.' }),
    withdrawn: Type.Boolean({ description: 'True, in a history only: nothing was active after this.' }),
    activated_at: Time,
    activated_by: nullable(Type.String({ format: 'uuid', description: 'The principal. Null: Tocsin itself imported or generated the playbook.' })),
    activated_by_name: nullable(Type.String({ description: 'Null: no principal has this id any more.' })),
  },
  { $id: 'Playbook', description: 'An active or former playbook of an alert type, or a sub-playbook.' },
)
export type PlaybookAnswer = Static<typeof PlaybookSchema>

export const FindingSchema = Type.Object(
  {
    code: Type.String({ description: 'See docs/reference/lint/.' }),
    severity: oneOf(['error', 'warning']),
    message: Type.String(),
    line: Type.Integer({ description: 'From 1.' }),
    column: Type.Integer({ description: 'From 1.' }),
    field: Type.String({ description: 'Dotted path of the key.' }),
    fix: Type.Optional(
      Type.Object(
        {
          title: Type.String(),
          edits: Type.Array(
            Type.Object({
              start: Type.Integer({ description: 'Characters of the text, from 0.' }),
              end: Type.Integer({ description: 'The first character that is kept.' }),
              text: Type.String({ description: 'The new text.' }),
            }),
          ),
        },
        { description: 'The fix, if there is exactly one safe fix.' },
      ),
    ),
  },
  { $id: 'Finding', description: 'One thing that is wrong with a playbook, or likely to be.' },
)

export function findingView({ code, severity, message, line, column, field, fix }: Finding): Static<typeof FindingSchema> {
  return { code, severity, message, line, column, field, ...(fix && { fix: { title: fix.title, edits: fix.edits.map((edit) => ({ ...edit })) } }) }
}

/** Converts activations for the API. */
export async function playbookViews(store: Store, scope: Scope, activations: readonly Activation[]): Promise<PlaybookAnswer[]> {
  const codes = await organizationCodesOf(
    store,
    scope,
    activations.flatMap(({ organization }) => (organization === null ? [] : [organization])),
  )
  const names = await namesOf(
    store,
    activations.flatMap(({ activatedBy }) => (activatedBy === null ? [] : [activatedBy])),
  )
  return activations.map((activation) => playbookView(activation, codes, names))
}

function playbookView(
  { key, kind, name, organization, digest, source, revision, withdrawn, activatedAt, activatedBy }: Activation,
  codes: ReadonlyMap<OrganizationId, string>,
  names: Names,
): PlaybookAnswer {
  return {
    key,
    kind: kind === 'sub_playbook' ? kind : 'playbook',
    name,
    alert_type: kind === 'playbook' ? key : null,
    organization_code: organization === null ? null : (codes.get(organization) ?? organization),
    digest,
    source,
    revision,
    withdrawn,
    activated_at: activatedAt,
    activated_by: activatedBy,
    activated_by_name: activatedBy === null ? null : (names.get(activatedBy) ?? null),
  }
}

export const ImpactSchema = Type.Object(
  {
    high: Type.Integer(),
    write: Type.Integer(),
    read: Type.Integer(),
    targets: Type.Integer({ description: 'How many different targets.' }),
    skills: Type.Array(
      Type.Object({
        skill: Type.String(),
        impact: oneOf(['read', 'write', 'high']),
        max_calls: Type.Integer(),
        role: nullable(Type.String()),
        connection: Type.String({ description: 'The slot.' }),
        approval: oneOf(['step', 'policy', 'none']),
      }),
    ),
    unbounded: Type.Array(Type.String()),
  },
  { $id: 'Impact', description: 'The most that one run can do (docs/guides/playbooks.md).' },
)

export function impactView({ high, write, read, targets, skills, unbounded }: Impact): Static<typeof ImpactSchema> {
  return {
    high,
    write,
    read,
    targets,
    skills: skills.map(({ maxCalls, ...skill }) => ({ ...skill, max_calls: maxCalls })),
    unbounded: [...unbounded],
  }
}
