import { queryOptions } from '@tanstack/react-query'
import type { CaseView, ConnectionAnswer, DecisionView, KeyView, OrganizationView, PlaybookView } from '../../../runtime/api/index.ts'
import { wholeList } from '../../api/whole-list.ts'
import { addressOf } from '../../shared/links.tsx'
import { type Found, type FoundGroup, fresh, most, read } from './found.ts'

/** A list that is short enough to be read once and looked through here. */
interface Listed<Item> {
  readonly group: FoundGroup['group']
  /** At most 200 items, unless the list is read to its end. */
  readonly path: string
  readonly whole?: boolean
  readonly words: (item: Item) => readonly (string | null)[]
  readonly found: (item: Item) => Found
}

const listed =
  <Item>({ group, path, whole = false, words, found }: Listed<Item>) =>
  (text: string) =>
    queryOptions({
      // The address tells the feed which changes concern the list.
      queryKey: ['palette', `/platformapi/${path}`],
      staleTime: fresh,
      queryFn: ({ signal }) => (whole ? wholeList<Item>(`/platformapi/${path}`, signal) : read<Item>(path, signal)),
      select: (items): FoundGroup => {
        const all = items.filter((item) => has(text, words(item))).map(found)
        return { group, found: [...new Map(all.map((one) => [one.id, one])).values()].slice(0, most) }
      },
    })

/** Whether each word of a text is in one of the fields. */
function has(text: string, fields: readonly (string | null)[]): boolean {
  const wanted = text.toLowerCase().split(/\s+/)
  return wanted.every((word) => fields.some((field) => field?.toLowerCase().includes(word)))
}

const ofOrganization = (what: string, code: string | null): string => (code === null ? what : `${what} of ${code}`)

export const decisionsLike = listed<DecisionView>({
  group: 'Decisions',
  path: 'decisions?state=open&limit=200',
  words: ({ title, case_id }) => [title, case_id],
  found: ({ id, title, case_id }) => ({ id, name: title, about: case_id, to: addressOf.decision(id) }),
})

export const playbooksLike = listed<PlaybookView>({
  group: 'Playbooks',
  path: 'playbooks',
  words: ({ key, name, organization_code }) => [key, name, organization_code],
  found: ({ key, name, kind, organization_code: code }) => ({
    id: `${kind} ${key} ${code}`,
    name: key,
    about: ofOrganization(name, code),
    to: addressOf.playbook(key),
  }),
})

export const connectionsLike = listed<ConnectionAnswer>({
  group: 'Connections',
  path: 'connections',
  whole: true,
  words: ({ instance, integration, organization_code }) => [instance, integration, organization_code],
  found: ({ id, instance, integration, organization_code: code }) => ({
    id,
    name: instance,
    about: ofOrganization(integration, code),
    to: addressOf.connection(integration, id),
  }),
})

/** The people to whom one of the 200 cases that changed last is assigned. */
export const peopleLike = listed<CaseView>({
  group: 'People',
  path: 'cases?sort=-modified_at&limit=200',
  words: ({ assignee }) => [assignee],
  found: ({ assignee }) => ({
    id: `person ${assignee}`,
    name: assignee ?? '',
    about: 'their cases',
    to: `/cases?${new URLSearchParams({ assignee: assignee ?? '' })}`,
  }),
})

export const organizationsLike = listed<OrganizationView>({
  group: 'Organizations',
  path: 'organizations',
  whole: true,
  words: ({ code, name }) => [code, name],
  found: ({ code, name }) => ({
    id: `organization ${code}`,
    name: code,
    about: `${name}: its cases`,
    to: `/cases?${new URLSearchParams({ organization: code })}`,
  }),
})

export const keysLike = listed<KeyView>({
  group: 'API keys',
  path: 'keys?limit=200',
  words: ({ name }) => [name],
  found: ({ id, name, revoked_at }) => ({ id, name, about: revoked_at === null ? '' : 'revoked', to: '/settings/keys' }),
})
