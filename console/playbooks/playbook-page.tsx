import { Alert, Badge, Button, Group, Tabs, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, Suspense, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { type ShownLine, YamlEditor } from '../editor/index.ts'
import { useAddress } from '../shared/address.ts'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { Page } from '../shared/page.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { When } from '../shared/time/time.tsx'
import { done, failed } from '../shared/toasts.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { useMay } from '../shell/who.ts'
import { editorOf, pageOf } from './addresses.ts'
import { GraphOfVersion } from './graph-panel.tsx'
import { Impact } from './impact.tsx'
import { activePlaybooks, linted, onePlaybook, type Place, withdraw } from './queries.ts'
import { Uses } from './uses.tsx'
import { Versions } from './versions.tsx'
import { origins } from './words.ts'

/** One active playbook: its text, its worst case, its versions, and who uses it. */
export function PlaybookPage({ place }: { readonly place: Place }): JSX.Element {
  const { get, set } = useAddress()
  const [, go] = useLocation()
  const may = useMay()
  const { data, error, isPending } = useQuery(onePlaybook(place))
  const writes = may('playbooks:write')
  const inAddress = get('line')
  const line = useMemo(() => lineOf(inAddress), [inAddress])
  useShortcut('e', 'Edit the playbook', data && writes ? () => go(editorOf(place)) : null)
  return (
    <Page
      title={place.key}
      heading={<Foreign value={place.key} />}
      actions={
        data && (
          <>
            {writes && <Withdraw place={place} revision={data.revision} />}
            <Button component={Link} href={editorOf(place)} size="sm">
              {writes ? 'Edit' : 'Try changes'}
            </Button>
          </>
        )
      }
    >
      <Others place={place} />
      {isPending && <Loading />}
      {error && <ProblemNote error={error} />}
      {data && (
        <>
          <Group gap="xs" mb="sm">
            <Badge color="harbour" tt="none">
              <Foreign value={data.name} />
            </Badge>
            <Text size="sm" c="dimmed" component="div">
              revision {data.revision}, <When at={data.activated_at} /> by <Foreign value={data.activated_by_name ?? 'Tocsin'} /> ·{' '}
              {origins[data.source]}
            </Text>
          </Group>
          <Tabs
            value={get('tab') ?? 'text'}
            onChange={(tab) => set({ tab: tab === 'text' ? null : tab, from: null, to: null, line: null, step: null })}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="text">Text</Tabs.Tab>
              <Tabs.Tab value="graph">Graph</Tabs.Tab>
              <Tabs.Tab value="impact">Impact</Tabs.Tab>
              <Tabs.Tab value="versions">Versions</Tabs.Tab>
              <Tabs.Tab value="uses">Organizations</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="text" pt="sm">
              <Group justify="flex-end" mb={4}>
                <Copy value={data.text} what="the text" />
              </Group>
              <Suspense fallback={<Loading />}>
                <div className="editor-box">
                  <YamlEditor label="Text of the playbook" value={data.text} line={line} />
                </div>
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="graph" pt="sm">
              <GraphOfVersion
                digest={data.digest}
                organization={place.organization}
                onLine={(line) => set({ tab: null, step: null, line: String(line) })}
              />
            </Tabs.Panel>
            <Tabs.Panel value="impact" pt="sm">
              <ImpactOfText text={data.text} organization={place.organization} />
            </Tabs.Panel>
            <Tabs.Panel value="versions" pt="sm">
              <Versions place={place} active={data} />
            </Tabs.Panel>
            <Tabs.Panel value="uses" pt="sm">
              <Uses place={place} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </Page>
  )
}

/** Links to the other playbooks of the same alert type: the shared one, and those of organizations. */
function Others({ place }: { readonly place: Place }): JSX.Element | null {
  const { data } = useQuery(activePlaybooks)
  const others = data?.items.filter(({ key, kind }) => key === place.key && kind === place.kind) ?? []
  if (others.length < 2) return null
  return (
    <Group gap={6} mb="xs" component="nav" aria-label="Playbooks of this type">
      {others.map(({ organization_code: code }) => {
        const name = code === null ? 'All organizations' : <Foreign value={code} />
        return (
          <Badge
            key={code}
            tt="none"
            color={code === place.organization ? 'harbour' : 'gray'}
            component={Link}
            href={pageOf({ ...place, organization: code })}
            aria-current={code === place.organization ? 'page' : undefined}
          >
            {name}
          </Badge>
        )
      })}
    </Group>
  )
}

/** Reads the number of a line from the address. */
function lineOf(text: string | null): ShownLine | null {
  const line = Number(text)
  return Number.isInteger(line) && line > 0 ? { at: line } : null
}

function ImpactOfText({ text, organization }: { readonly text: string; readonly organization: string | null }): JSX.Element {
  const { data, error, isPending } = useQuery(linted(text, organization))
  if (isPending) return <Loading />
  if (error) return <ProblemNote error={error} />
  return data.playbook ? (
    <Impact playbook={data.playbook} />
  ) : (
    <Alert color="orange" title="This text has mistakes">
      It no longer fits what is installed, so its worst case is unknown. The editor shows the mistakes.
    </Alert>
  )
}

function Withdraw({ place, revision }: { readonly place: Place; readonly revision: number }): JSX.Element {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const act = useMutation({
    mutationFn: (seen: number) => withdraw(place, seen),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: activePlaybooks.queryKey })
      done({ text: `${place.key} is withdrawn. Its history stays.` })
      go('/playbooks')
    },
    onError: (error) => failed('The playbook was not withdrawn', error),
  })
  const ask = (): void => {
    modals.openConfirmModal({
      title: 'Withdraw this playbook?',
      children: (
        <Text size="sm">
          New alerts get the next playbook in order: the shared one after an organization's own, a generated one after that. Runs that have begun keep
          theirs. You can activate it again from its versions.
        </Text>
      ),
      labels: { confirm: 'Withdraw it', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      // Somebody may activate another text while the dialog is open. Only the one that the dialog is about is withdrawn.
      onConfirm: () => act.mutate(revision),
    })
  }
  return (
    <Button variant="default" size="sm" onClick={ask} loading={act.isPending}>
      Withdraw
    </Button>
  )
}
