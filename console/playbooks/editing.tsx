import { Alert, Button, Tabs, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type JSX, Suspense, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ActivePlaybookView } from '../../runtime/api/index.ts'
import { type ShownLine, TextDifference, YamlEditor } from '../editor/index.ts'
import { useAddress } from '../shared/address.ts'
import { Foreign } from '../shared/foreign.tsx'
import { Page } from '../shared/page.tsx'
import { Loading } from '../shared/states.tsx'
import { done } from '../shared/toasts.tsx'
import { useShortcut } from '../shell/shortcuts.tsx'
import { useMay } from '../shell/who.ts'
import { Activate } from './activate.tsx'
import { pageOf } from './addresses.ts'
import { ChangedMeanwhile } from './changed-meanwhile.tsx'
import { Checks } from './checks.tsx'
import { type Draft, forgetDraft, normal, useKeptDraft } from './draft.ts'
import { GraphOfText } from './graph-panel.tsx'
import { language, linted, type Place } from './queries.ts'
import { DryRunPanel } from './rehearsals/dry-run-panel.tsx'
import { ReplayPanel } from './rehearsals/replay-panel.tsx'
import { TestPanel } from './rehearsals/test-panel.tsx'

/** How long nobody must type before the text is checked, in milliseconds. */
const pause = 400

interface EditingProps {
  readonly place: Place
  /** Null: nothing is active there. */
  readonly active: ActivePlaybookView | null
  readonly begun: Draft
  /** What the browser kept from an earlier visit. */
  readonly kept: Draft | null
}

/** The text on the left; its mistakes, worst case, tests, dry runs and replays on the right. */
export function Editing({ place, active, begun, kept }: EditingProps): JSX.Element {
  const { get, set } = useAddress()
  const [, go] = useLocation()
  const may = useMay()
  const [draft, setDraft] = useState<Draft>(kept ?? begun)
  const [begin] = useState(begun)
  const [fromEarlier, setFromEarlier] = useState(kept !== null)
  const [line, setLine] = useState<ShownLine | null>(null)
  const show = (at: number): void => setLine({ at })
  const [activating, setActivating] = useState(false)
  const changed = fromEarlier || draft.text !== begin.text || draft.tests !== begin.tests
  const isKept = useKeptDraft(place, draft, changed)
  const [settled] = useDebouncedValue(draft.text, pause)
  const words = useQuery(language)
  const checked = useQuery({ ...linted(settled, place.organization), placeholderData: keepPreviousData })
  const lint = useMemo(() => checked.data && { text: checked.data.text, findings: checked.data.findings }, [checked.data])
  const errors = checked.data?.findings.filter(({ severity }) => severity === 'error').length ?? 0
  const fresh = checked.data?.text === draft.text
  const ready = fresh && errors === 0
  const outdated = active !== null && active.revision > draft.revision
  // Perhaps only the answer to an activation was lost.
  const activated = outdated && normal(active.text) === draft.text
  const tab = get('panel') ?? 'checks'
  const differing = useMemo(
    () => ({ from: { name: 'The active text', text: active?.text ?? '' }, to: { name: 'Your text', text: settled } }),
    [active?.text, settled],
  )
  const discard = (): void => {
    forgetDraft(place)
    const mine = draft
    setFromEarlier(false)
    setDraft(begin)
    done({
      text: 'Your changes are discarded.',
      undo: () => {
        setDraft(mine)
        setFromEarlier(true)
      },
    })
  }
  const writes = may('playbooks:write')
  // A sub-playbook has no runs of its own.
  const replays = may('runs:read') && place.kind === 'playbook'
  useShortcut('$mod+Enter', 'Activate the text', writes && ready ? () => setActivating(true) : null)
  return (
    <Page
      title={`Edit ${place.key}`}
      heading={
        <>
          Edit <Foreign value={place.key} />
        </>
      }
      full
      actions={
        <>
          {changed && (
            <Button variant="default" size="sm" onClick={discard}>
              Discard
            </Button>
          )}
          {active && (
            <Button component={Link} href={pageOf(place)} variant="default" size="sm">
              Back
            </Button>
          )}
          {writes && (
            <Button size="sm" disabled={!ready} onClick={() => setActivating(true)}>
              Activate
            </Button>
          )}
        </>
      }
    >
      {activated && (
        <Alert role="alert" color="teal" title={`Your text is active, as revision ${active.revision}`}>
          <Link href={pageOf(place)} onClick={() => forgetDraft(place)}>
            Go to the playbook
          </Link>
        </Alert>
      )}
      {outdated && !activated && (
        <ChangedMeanwhile
          place={place}
          revision={active.revision}
          by={active.activated_by_name}
          edited={draft.revision > 0}
          onCompare={() => set({ panel: 'changes' })}
          onAccept={() => setDraft({ ...draft, revision: active.revision })}
        />
      )}
      {!isKept && (
        <Alert color="orange" title="The browser has no room to keep your text">
          Activate it or copy it elsewhere before you close this window.
        </Alert>
      )}
      <div className="workbench">
        <div className="workbench-text">
          <Suspense fallback={<Loading what="Loading the editor" />}>
            <YamlEditor
              label="Text of the playbook"
              value={draft.text}
              onChange={(text) => setDraft((before) => ({ ...before, text }))}
              line={line}
              {...(lint && { linted: lint })}
              {...(words.data && { language: words.data })}
            />
          </Suspense>
          <Text size="xs" c="dimmed" className="workbench-foot">
            {changed ? 'This browser keeps your text until you activate or discard it.' : 'Nothing is changed yet.'} Ctrl+Space completes.
          </Text>
        </div>
        <Tabs value={tab} onChange={(panel) => set({ panel: panel === 'checks' ? null : panel })} className="workbench-side">
          <Tabs.List>
            <Tabs.Tab value="checks">{checksName(checked.data?.findings.length ?? 0)}</Tabs.Tab>
            <Tabs.Tab value="changes">Changes</Tabs.Tab>
            <Tabs.Tab value="graph">Graph</Tabs.Tab>
            <Tabs.Tab value="test">Test</Tabs.Tab>
            <Tabs.Tab value="dry-run">Dry run</Tabs.Tab>
            {replays && <Tabs.Tab value="replay">Replay</Tabs.Tab>}
          </Tabs.List>
          <Tabs.Panel value="checks">
            <Checks query={checked} fresh={fresh} onShow={show} />
          </Tabs.Panel>
          <Tabs.Panel value="changes">
            {tab === 'changes' &&
              (differing.from.text === differing.to.text ? (
                <Text size="sm" c="dimmed">
                  Your text is the active one.
                </Text>
              ) : (
                <Suspense fallback={<Loading />}>
                  <TextDifference {...differing} />
                </Suspense>
              ))}
          </Tabs.Panel>
          <Tabs.Panel value="graph">{tab === 'graph' && <GraphOfText text={settled} organization={place.organization} onLine={show} />}</Tabs.Panel>
          <Tabs.Panel value="test">
            <TestPanel
              text={draft.text}
              tests={draft.tests}
              organization={place.organization}
              onChange={(tests) => setDraft((before) => ({ ...before, tests }))}
              onLine={show}
            />
          </Tabs.Panel>
          <Tabs.Panel value="dry-run">
            <DryRunPanel text={draft.text} place={place} />
          </Tabs.Panel>
          <Tabs.Panel value="replay">{replays && <ReplayPanel text={draft.text} organization={place.organization} />}</Tabs.Panel>
        </Tabs>
      </div>
      {activating && !activated && (
        <Activate
          place={place}
          draft={draft}
          active={active}
          onClose={() => setActivating(false)}
          onDone={() => {
            forgetDraft(place)
            go(pageOf(place))
          }}
        />
      )}
    </Page>
  )
}

function checksName(findings: number): string {
  return findings === 0 ? 'Checks' : `Checks (${findings})`
}
