import { AlertStatus, alertStatusNames, foldCode, normaliseType, type OrganizationId, type Scope, tokensOf } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import type { AlertConditions, ContainedText, Store } from '../../../storage/index.ts'
import { maxMillis, maxSearchWords } from '../../limits.ts'
import { searchWordsOf } from '../../request/index.ts'
import { caseOf } from '../cases/index.ts'
import { alertOf, organizationIdsOf } from '../shared/index.ts'

const several = (description: string) => Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50, description }))

/** The filters that the list and the count of alerts share. */
export const alertFilters = {
  organization: several('Organization code; may be repeated.'),
  provider: several('Provider code, in any case; may be repeated.'),
  type: several('Alert type, in any case; may be repeated.'),
  status: several('Status number or name, in any case; may be repeated.'),
  finished: Type.Optional(
    Type.Boolean({ description: 'false: alerts that have a type and whose investigation has not ended. true: alerts at Completed or Failed.' }),
  ),
  playbook: several('Name of a playbook: the investigator. May be repeated.'),
  case: Type.Optional(Type.String({ maxLength: 300, description: 'A case_id or case_uuid: the alerts of the case, and those that repeat them.' })),
  created_from: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created at or after; epoch milliseconds.' })),
  created_to: Type.Optional(Type.Integer({ minimum: 0, maximum: maxMillis, description: 'Created before; epoch milliseconds.' })),
  duplicate_of: Type.Optional(Type.String({ maxLength: 300, description: 'An alert_id or alert_uuid: the alerts that repeat it.' })),
  q: Type.Optional(
    Type.String({
      maxLength: 500,
      description: `At most ${maxSearchWords} different words. An alert matches if each of them begins one of the words of the alert.`,
    }),
  ),
  contains: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'A text that the content contains exactly, in whole words, such as an address. ASCII letters match in either case.',
    }),
  ),
}
const Filters = Type.Object(alertFilters)
type Filters = Static<typeof Filters>

/** Returns whether the store may have to examine every alert to fill a page. */
export function looksAtMany({ createdFrom: _f, createdTo: _t, organizations: _o, ...others }: AlertConditions): boolean {
  return Object.values(others).some((condition) => condition !== undefined)
}

/** @throws TocsinError `query_invalid`, `organization_unknown`, `alert_unknown`, `case_unknown` */
export async function conditionsOf(store: Store, scope: Scope, filters: Filters): Promise<AlertConditions> {
  const statuses = filters.status?.map(statusOf)
  const words = filters.q === undefined ? undefined : searchWordsOf(filters.q)
  const organizations: OrganizationId[] | undefined =
    filters.organization === undefined ? undefined : await organizationIdsOf(store, scope, filters.organization, 'organization')
  return {
    ...(organizations && { organizations }),
    ...(filters.provider && { providers: filters.provider.map(foldCode) }),
    ...(filters.type && { types: filters.type.map(normaliseType) }),
    ...(statuses && { statuses }),
    ...(filters.finished !== undefined && { finished: filters.finished }),
    ...(filters.playbook && { playbooks: filters.playbook }),
    ...(filters.case !== undefined && { case: (await caseOf(store, scope, filters.case)).uuid }),
    ...(filters.created_from !== undefined && { createdFrom: filters.created_from }),
    ...(filters.created_to !== undefined && { createdTo: filters.created_to }),
    ...(filters.duplicate_of !== undefined && { duplicateOf: (await alertOf(store, scope, filters.duplicate_of)).uuid }),
    ...(words && { words }),
    ...(filters.contains !== undefined && { contains: containedText(filters.contains) }),
  }
}

/** The store finds candidates by the words of the text, so there must be at least one. */
function containedText(text: string): ContainedText {
  const words = tokensOf(text).slice(0, maxSearchWords)
  if (words.length > 0) return { text, words }
  throw new TocsinError('query_invalid', 'The text has no word to search for.', [{ field: 'contains', message: 'needs a letter or a digit' }])
}

const statusByWord = new Map<string, AlertStatus>(
  Object.values(AlertStatus).flatMap((status): [string, AlertStatus][] => [
    [String(status), status],
    [alertStatusNames[status].toLowerCase(), status],
  ]),
)

function statusOf(word: string): AlertStatus {
  const status = statusByWord.get(word.toLowerCase())
  if (status !== undefined) return status
  const message = `must be one of ${[...statusByWord.keys()].join(', ')}`
  throw new TocsinError('query_invalid', 'The query names a status that does not exist.', [{ field: 'status', message }])
}
