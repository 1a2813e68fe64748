import { NativeSelect, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import type { OrganizationView, PolicyView } from '../../runtime/api/index.ts'
import { ask } from '../api/ask.ts'
import { useAddress } from '../shared/address.ts'
import { ProblemNote } from '../shared/problem.tsx'
import { Empty, Loading } from '../shared/states.tsx'
import { Part } from './parts.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { PolicyHistory } from './policy-history.tsx'
import { policyPath } from './policy-path.ts'
import { Protected } from './protected.tsx'
import { Quotas } from './quotas.tsx'
import { useChoices } from './use-pages.ts'

const tabs = ['text', 'quotas', 'protected', 'history'] as const

/** The policy of an organization: its text, its quotas, what it protects, and its history. The address names the organization. */
export function PolicyPage(): JSX.Element {
  const { get, set } = useAddress()
  const organizations = useChoices<OrganizationView>('/platformapi/organizations')
  const code = get('organization') ?? organizations.rows[0]?.code ?? null
  const tab = tabs.find((one) => one === get('tab')) ?? 'text'
  return (
    <Part
      title="Policy"
      about="When people are asked before a call, how much one run may change, how often a skill may be called, and what no call may touch."
      actions={
        <NativeSelect
          aria-label="Organization"
          value={code ?? ''}
          data={[...new Set([...organizations.rows.map((organization) => organization.code), ...(code === null ? [] : [code])])]}
          onChange={({ currentTarget }) => set({ organization: currentTarget.value })}
        />
      }
    >
      {organizations.error && <ProblemNote error={organizations.error} />}
      {organizations.pending && <Loading />}
      {code === null && !organizations.pending && <Empty title="There is no organization yet." />}
      {code !== null && (
        <Tabs value={tab} onChange={(value) => set({ tab: value === 'text' ? null : value })} keepMounted={false} variant="pills">
          <Tabs.List mb="md">
            <Tabs.Tab value="text">Text</Tabs.Tab>
            <Tabs.Tab value="quotas">Quotas</Tabs.Tab>
            <Tabs.Tab value="protected">Protected entities</Tabs.Tab>
            <Tabs.Tab value="history">Changes</Tabs.Tab>
          </Tabs.List>
          {tabs.map((one) => (
            // What somebody has typed stays while they look at the other tabs: a policy is compared with the changes of others there.
            <Tabs.Panel key={one} value={one} keepMounted={one === 'text'}>
              <OnePolicy key={code} code={code} tab={one} />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Part>
  )
}

function OnePolicy({ code, tab }: { readonly code: string; readonly tab: (typeof tabs)[number] }): JSX.Element {
  const { data, error, isPending } = useQuery({
    queryKey: ['settings', 'policy', code],
    queryFn: ({ signal }) => ask<PolicyView>('GET', policyPath(code), undefined, signal),
  })
  if (error && !data) return <ProblemNote error={error} />
  if (isPending) return <Loading what="Loading the policy" />
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {data.revision === 0 ? 'No policy is set: the defaults apply.' : `Revision ${data.revision}.`}
      </Text>
      {tab === 'text' && <PolicyEditor policy={data} />}
      {tab === 'quotas' && <Quotas code={code} />}
      {tab === 'protected' && <Protected policy={data} />}
      {tab === 'history' && <PolicyHistory policy={data} />}
    </Stack>
  )
}
