import { queryOptions } from '@tanstack/react-query'
import type { CaseView, ConnectionAnswer, DecisionView, KeyView, OrganizationView, PageView, PlaybookView } from '../../../runtime/api/index.ts'
import { ask } from '../../api/ask.ts'
import { wholeList } from '../../api/whole-list.ts'
import { addressOf } from '../../shared/links.tsx'
import { type Found, type FoundGroup, fresh, most, personFound } from './found.ts'

/** A list that is read once and looked through here. */
interface Listed<Item> {
  readonly group: FoundGroup['group']
  readonly path: string
  /** Whether the list is read to its end. Absent: only its first page is. */
  readonly whole?: boolean
  /** What the first page contains, for people, in case there are more pages. */
  readonly among?: string
  readonly words: (item: Item) => readonly (string | null)[]
  readonly found: (item: Item) => Found
}

const listed =
  <Item>({ group, path, whole = false, among, words, found }: Listed<Item>) =>
  (text: string) =>
    queryOptions({
      // The address tells the feed which changes concern the list.
      queryKey: ['palette', `/platformapi/${path}`],
      staleTime: fresh,
      queryFn: async ({ signal }) =>
        whole
          ? { items: await wholeList<Item>(`/platformapi/${path}`, signal), next_cursor: null }
          : ask<PageView<Item>>('GET', `/platformapi/${path}`, undefined, signal),
      select: ({ items, next_cursor: next }): FoundGroup => {
        const all = items.filter((item) => has(text, words(item))).map(found)
        const shown = [...new Map(all.map((one) => [one.id, one])).values()].slice(0, most)
        return { group, found: shown, ...(next !== null && among !== undefined && { among }) }
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
  path: 'decisions?sort=deadline&limit=1000',
  among: 'the 1,000 most urgent open decisions',
  words: ({ id, title, case_id }) => [id, title, case_id],
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

/** The people to whom cases are assigned. Some have no key any more, or never had one. */
export const assigneesLike = listed<CaseView>({
  group: 'People',
  path: 'cases?sort=-modified_at&limit=200',
  among: 'the 200 cases that changed last for people without an API key',
  words: ({ assignee }) => [assignee],
  found: ({ assignee }) => personFound(assignee ?? ''),
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
  path: 'keys',
  whole: true,
  words: ({ name }) => [name],
  found: ({ id, name, revoked_at }) => ({ id, name, about: revoked_at === null ? '' : 'revoked', to: '/settings/keys' }),
})
