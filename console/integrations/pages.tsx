import { Anchor, Badge, Breadcrumbs, Group, Stack, Tabs, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { JSX, ReactNode } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { IntegrationView } from '../../runtime/api/index.ts'
import { integrationList } from '../api/integrations.ts'
import { Foreign } from '../shared/foreign.tsx'
import { addressOf } from '../shared/links.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { AgentsPage } from './agents.tsx'
import { ConnectionsTab } from './connections/connections-tab.tsx'
import { IntegrationList } from './list.tsx'
import { SkillsTab } from './skills/skills-tab.tsx'

/** The pages of integrations: the list, and one with its connections and skills. */
export default function IntegrationPages(): JSX.Element {
  return (
    <Switch>
      <Route path="/integrations">
        <IntegrationList />
      </Route>
      <Route path="/integrations/agents">
        <AgentsPage />
      </Route>
      <Route path="/integrations/:id/skills/:skill?">
        {({ id, skill }) => (
          <OneIntegration id={id}>{(integration) => <SkillsTab integration={integration} chosen={skill ?? null} />}</OneIntegration>
        )}
      </Route>
      <Route path="/integrations/:id/connections/:connection/change">
        {({ id, connection }) => (
          <OneIntegration id={id}>{(integration) => <ConnectionsTab integration={integration} chosen={connection} form="change" />}</OneIntegration>
        )}
      </Route>
      <Route path="/integrations/:id/connections/:connection?">
        {({ id, connection }) => (
          <OneIntegration id={id}>
            {(integration) => <ConnectionsTab integration={integration} chosen={connection ?? null} form={null} />}
          </OneIntegration>
        )}
      </Route>
      <Route path="/integrations/:id/connect">
        {({ id }) => (
          <OneIntegration id={id}>{(integration) => <ConnectionsTab integration={integration} chosen={null} form="new" />}</OneIntegration>
        )}
      </Route>
      <Route path="/integrations/:id">{({ id }) => <Redirect to={`${addressOf.integration(id)}/connections`} replace />}</Route>
    </Switch>
  )
}

/** One integration: its head and its tabs. */
function OneIntegration({ id, children }: { readonly id: string; children(integration: IntegrationView): ReactNode }): JSX.Element {
  const { data, error, isPending } = useQuery(integrationList)
  const [location, go] = useLocation()
  if (error && !data) return <ProblemNote error={error} />
  if (isPending) return <Loading />
  const integration = data.find((each) => each.id === id)
  if (!integration)
    return (
      <Page title="No such integration">
        <Text>
          No loaded plugin has the id <Foreign value={id} />. <Link href="/integrations">See all integrations</Link>.
        </Text>
      </Page>
    )
  const { name, vendor, version, categories, skill_count: count } = integration
  const here = addressOf.integration(id)
  return (
    <Page
      title={name}
      heading={
        <Group gap="sm" component="span">
          <Foreign value={name} />
          {categories.map((category) => (
            <Badge key={category} variant="outline" color="gray" component="span">
              {category.replaceAll('_', ' ')}
            </Badge>
          ))}
        </Group>
      }
    >
      <Stack gap="md">
        <Breadcrumbs>
          <Anchor component={Link} href="/integrations" size="sm">
            Integrations
          </Anchor>
          <Text component="span" size="sm" c="dimmed">
            <Foreign value={vendor.api === null ? vendor.name : `${vendor.name}, ${vendor.api}`} />, plugin {version}
          </Text>
        </Breadcrumbs>
        <Tabs
          value={location.startsWith(`${here}/skills`) ? 'skills' : 'connections'}
          onChange={(next) => go(`${here}/${next ?? 'connections'}`)}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="connections">Connections</Tabs.Tab>
            <Tabs.Tab value="skills">Skills ({count.read + count.write + count.high})</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={location.startsWith(`${here}/skills`) ? 'skills' : 'connections'} pt="md">
            {children(integration)}
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Page>
  )
}
