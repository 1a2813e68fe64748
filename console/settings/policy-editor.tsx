import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type JSX, Suspense, useMemo, useState } from 'react'
import type { PlaybookLanguageView, PolicyCheckView, PolicyView } from '../../runtime/api/index.ts'
import { ask, look } from '../api/ask.ts'
import { Refused } from '../api/refused.ts'
import { type Mistake, type ShownLine, YamlEditor } from '../editor/index.ts'
import { useLeaveWarning } from '../shared/drafts/leave-warning.ts'
import { Foreign } from '../shared/foreign.tsx'
import { ProblemNote } from '../shared/problem.tsx'
import { Loading } from '../shared/states.tsx'
import { useBegun } from '../shell/begun.ts'
import { useMay } from '../shell/who.ts'
import { policyPath } from './policy-path.ts'
import { template } from './policy-text.ts'
import { useChange } from './use-pages.ts'

/** How long after the last key the text is checked, in milliseconds. */
const pause = 400

/**
 * The text of a policy, checked while somebody types. It is saved only over the revision that it began from: if somebody else was
 * quicker, what was typed stays.
 */
export function PolicyEditor({ policy: standing }: { readonly policy: PolicyView }): JSX.Element {
  const mayWrite = useMay()('policy:write')
  const { organization_code: code } = standing
  const { base, typed, work, saved } = usePolicyText(standing)
  const text = typed ?? base.text
  const [line, setLine] = useState<ShownLine | null>(null)
  const [settled] = useDebouncedValue(text, pause)
  const language = useQuery({
    queryKey: ['policy-schema'],
    queryFn: ({ signal }) => ask<{ readonly schema: object }>('GET', '/platformapi/policy-schema', undefined, signal),
    staleTime: Number.POSITIVE_INFINITY,
    select: ({ schema }) => ({ schema: schema as PlaybookLanguageView['schema'] }),
  })
  const check = useQuery({
    queryKey: ['policy-check', code, settled],
    queryFn: async ({ signal }) => ({
      text: settled,
      ...(await look<PolicyCheckView>(`${policyPath(code)}/check`, { text: settled }, signal)),
    }),
    enabled: typed !== null && settled !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const save = useChange(
    async (next: string) => {
      const answer = await ask<PolicyView>('PUT', policyPath(code), { text: next, revision: base.revision })
      saved(answer, next)
      return answer
    },
    ({ revision }) => `The policy of ${code} is revision ${revision}`,
  )
  const changed = typed !== null && typed !== base.text
  useLeaveWarning(changed)
  const mistakes = changed ? (check.data?.mistakes ?? []) : []
  const checked = check.data?.text === text
  const linted = useMemo(() => check.data && { text: check.data.text, findings: check.data.mistakes.flatMap(placed) }, [check.data])
  const overtaken = standing.revision !== base.revision || isConflict(save.error)
  const write = (next: string): void => work(base, next)
  const takeOver = (mine: string | null): void => {
    work(standing, mine)
    save.reset()
  }
  if (base.text === '' && typed === null)
    return (
      <Stack align="flex-start">
        <Text size="sm">High-impact calls are asked about, and each such skill may be called 20 times an hour.</Text>
        {mayWrite && <Button onClick={() => write(template)}>Write a policy</Button>}
      </Stack>
    )
  return (
    <Stack gap="sm">
      {overtaken && changed && (
        <Alert color="orange" title="Somebody else has changed the policy">
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              The current revision is {standing.revision}; you began with {base.revision}. What you typed is kept. Compare it with the change (tab
              Changes), then save it over the current revision, or take the current text.
            </Text>
            <Group gap="xs">
              <Button variant="default" onClick={() => takeOver(typed)} disabled={standing.revision === base.revision}>
                Keep mine, over revision {standing.revision}
              </Button>
              <Button variant="default" onClick={() => takeOver(null)}>
                Take the current text
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      <div className="editor-box policy">
        <Suspense fallback={<Loading what="Loading the editor" />}>
          <YamlEditor
            label={`Policy of ${code}, as YAML`}
            value={overtaken && !changed ? standing.text : text}
            line={line}
            {...(mayWrite && { onChange: write })}
            {...(linted && { linted })}
            {...(language.data && { language: language.data })}
          />
        </Suspense>
      </div>
      <div role="status">
        {mistakes.map(({ field, message, line: at, column }) => (
          <Text key={`${at} ${column} ${field} ${message}`} size="sm" component="div">
            {at !== null && (
              <Button variant="subtle" size="compact-xs" onClick={() => setLine({ at })}>
                line {at}
              </Button>
            )}{' '}
            <Foreign value={message} />
          </Text>
        ))}
        {changed && mistakes.length === 0 && check.data?.valid && checked && (
          <Text size="sm" c="dimmed">
            No mistakes.
          </Text>
        )}
      </div>
      {check.error && changed && <ProblemNote error={check.error} />}
      {save.error && !isConflict(save.error) && <ProblemNote error={save.error} />}
      {mayWrite && (
        <Group gap="sm">
          <Button disabled={!changed || mistakes.length > 0 || overtaken} loading={save.isPending} onClick={() => save.mutate(text)}>
            Save
          </Button>
          {changed && (
            <Button variant="default" onClick={() => work(base, null)}>
              Discard my changes
            </Button>
          )}
        </Group>
      )}
    </Stack>
  )
}

/** What somebody writes, and the revision that it began from. It stays while they look at another organization or page. */
function usePolicyText(standing: PolicyView) {
  const begun = useBegun<{ readonly base: PolicyView; readonly typed: string | null }>(`policy ${standing.organization_code}`)
  const [written, setWritten] = useState(() => begun.read() ?? { base: standing, typed: null })
  const work = (base: PolicyView, typed: string | null): void => {
    if (typed === null || typed === base.text) begun.forget()
    else begun.keep({ base, typed })
    setWritten({ base, typed })
  }
  /** The text was saved. What was typed since then stays, and whoever has left the page finds it there. */
  const saved = (base: PolicyView, text: string): void => {
    const typed = begun.read()?.typed ?? null
    work(base, typed === text ? null : typed)
  }
  // Nobody has typed anything, so a change of somebody else conflicts with nothing.
  const base = written.typed === null && standing.revision > written.base.revision ? standing : written.base
  return { base, typed: written.typed, work, saved }
}

/** The mistake as the editor marks it. One of the whole text is only listed. */
function placed({ message, line, column }: PolicyCheckView['mistakes'][number]): Mistake[] {
  return line === null ? [] : [{ line, column: column ?? 1, severity: 'error', message }]
}

function isConflict(error: Error | null): boolean {
  return error instanceof Refused && error.problem.code === 'policy_changed'
}
