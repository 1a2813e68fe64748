import { Button, Group, Table as MantineTable, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type JSX, Suspense, useMemo } from 'react'
import type { PlaybookView } from '../../runtime/api/index.ts'
import { TextDifference } from '../editor/index.ts'
import { useAddress } from '../shared/address.ts'
import { Copy } from '../shared/copy.tsx'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { Table } from '../shared/table.tsx'
import { When } from '../shared/time/time.tsx'
import { done, failed } from '../shared/toasts.tsx'
import { useMay } from '../shell/who.ts'
import { historyOf, type Place, rollBack, versionText } from './queries.ts'
import { sources } from './words.ts'

interface VersionsProps {
  readonly place: Place
  readonly active: PlaybookView
}

/** Every version of a playbook, what differs between them, and the way back. */
export function Versions({ place, active }: VersionsProps): JSX.Element {
  const { get, set } = useAddress()
  const may = useMay()
  const { data, error, isPending } = useQuery(historyOf(place))
  if (isPending) return <Loading />
  if (error) return <ProblemNote error={error} />
  const from = data.items.find(({ revision }) => String(revision) === get('from'))
  const to = data.items.find(({ revision }) => String(revision) === get('to')) ?? data.items.find(({ revision }) => revision === active.revision)
  return (
    <>
      <Table headings={['Revision', 'When', 'By', 'From', 'Text', 'Actions']}>
        {data.items.map((version, at) => {
          const before = data.items[at + 1]
          const isActive = version.revision === active.revision
          return (
            <MantineTable.Tr key={version.revision}>
              <MantineTable.Td>
                {version.revision}
                {isActive && <b> active</b>}
              </MantineTable.Td>
              <MantineTable.Td>
                <When at={version.activated_at} />
              </MantineTable.Td>
              <MantineTable.Td>
                <Foreign value={version.activated_by_name ?? 'Tocsin'} />
              </MantineTable.Td>
              <MantineTable.Td>{version.withdrawn ? 'Withdrawn' : sources[version.source]}</MantineTable.Td>
              <MantineTable.Td>
                <span className="id">
                  <code>{version.digest.slice(7, 15)}</code>
                  <Copy value={version.digest} what="the digest" />
                </span>
              </MantineTable.Td>
              <MantineTable.Td>
                <Group gap={6} wrap="nowrap" justify="flex-end">
                  {before && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Changes of revision ${version.revision}`}
                      onClick={() => set({ from: String(before.revision), to: String(version.revision) })}
                    >
                      Changes
                    </Button>
                  )}
                  {!isActive && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Compare revision ${version.revision} with the active one`}
                      onClick={() => set({ from: String(version.revision), to: String(active.revision) })}
                    >
                      Compare
                    </Button>
                  )}
                  {!isActive && !version.withdrawn && may('playbooks:write') && <RollBack place={place} version={version} active={active} />}
                </Group>
              </MantineTable.Td>
            </MantineTable.Tr>
          )
        })}
      </Table>
      {from && to && <Compared from={from} to={to} onClose={() => set({ from: null, to: null })} />}
    </>
  )
}

interface ComparedProps {
  readonly from: PlaybookView
  readonly to: PlaybookView
  readonly onClose: () => void
}

function Compared({ from, to, onClose }: ComparedProps): JSX.Element {
  const [before, after] = [useQuery(versionText(from.digest)), useQuery(versionText(to.digest))]
  const sides = useMemo(
    () =>
      before.data &&
      after.data && {
        from: { name: `Revision ${from.revision}`, text: before.data.text },
        to: { name: `Revision ${to.revision}`, text: after.data.text },
      },
    [before.data, after.data, from.revision, to.revision],
  )
  const error = before.error ?? after.error
  return (
    <section aria-label="Difference">
      <Group justify="space-between" mt="md" mb={6}>
        <Text fw={600}>
          Revision {from.revision} and revision {to.revision}
        </Text>
        <Button size="compact-xs" variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
      {error && <ProblemNote error={error} />}
      {sides && sides.from.text === sides.to.text && <Text size="sm">The texts are the same.</Text>}
      {sides && sides.from.text !== sides.to.text && (
        <Suspense fallback={<Loading />}>
          <TextDifference {...sides} />
        </Suspense>
      )}
    </section>
  )
}

function RollBack({ place, version, active }: { readonly place: Place; readonly version: PlaybookView; readonly active: PlaybookView }): JSX.Element {
  const queries = useQueryClient()
  const act = useMutation({
    mutationFn: (replaced: number) => rollBack(place, version.digest, replaced),
    async onSuccess() {
      await queries.invalidateQueries()
      done({ text: `The text of revision ${version.revision} is active again.` })
    },
    onError: (error) => failed('The earlier version was not activated', error),
  })
  const ask = (): void => {
    modals.openConfirmModal({
      title: `Activate revision ${version.revision} again?`,
      children: (
        <Text size="sm">
          New runs use it within a second. It becomes revision {active.revision + 1}. Tocsin refuses it if it no longer fits what is installed.
        </Text>
      ),
      labels: { confirm: 'Activate it', cancel: 'Cancel' },
      // Somebody may activate another text while the dialog is open. It replaces only the one that the dialog is about.
      onConfirm: () => act.mutate(active.revision),
    })
  }
  return (
    <Button size="compact-xs" variant="default" onClick={ask} loading={act.isPending} aria-label={`Roll back to revision ${version.revision}`}>
      Roll back
    </Button>
  )
}
