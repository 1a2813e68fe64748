import { Code, Text } from '@mantine/core'
import type { JSX, ReactNode } from 'react'
import type { FetchAnswer } from '../../../runtime/api/index.ts'
import { remedyHere } from '../../api/remedies.ts'
import { Copy } from '../../shared/copy.tsx'
import { Foreign, Json } from '../../shared/foreign.tsx'
import { spanOf } from '../../shared/time/span.ts'
import { When } from '../../shared/time/time.tsx'

/** Everything about a fetch: how far it has come, its last attempt, what it asks, and how an answer becomes alerts. */
export function FetchDetails({ fetch }: { readonly fetch: FetchAnswer }): JSX.Element {
  const { id, since, overlap_seconds: overlap, last_attempt: last, input } = fetch
  return (
    <section aria-label="Details">
      <dl className="facts">
        {last?.failure && <Failure of={last.failure} failures={fetch.failures} />}
        <Fact name="Fetched">
          everything before <When at={since} />
        </Fact>
        {last && (
          <Fact name="Last attempt">
            ended <When at={last.ended_at} />; asked for <When at={last.since} /> to <When at={last.until} />
            {last.changed > 0 && (
              <Text size="sm">
                {last.changed} changed: the system now says something else about an alert that Tocsin has. The alert stays as it was.
              </Text>
            )}
          </Fact>
        )}
        <Fact name="Overlap">
          {overlap === 0 ? 'none' : <>asks again for the last {spanOf(overlap * 1_000)}, for alerts that the system shows late</>}
        </Fact>
        <Reading fetch={fetch} />
        <Fact name="Fetch id">
          <span className="id">
            <code>{id}</code>
            <Copy value={id} what="the id of the fetch" />
          </span>
        </Fact>
      </dl>
      <Text size="sm" c="dimmed" mb={4}>
        Input of the skill
      </Text>
      <Json value={input} label="Input of the skill" />
    </section>
  )
}

/** How an answer becomes alerts. */
function Reading({ fetch }: { readonly fetch: FetchAnswer }): JSX.Element {
  const { items_at: items, alert_provider: provider, alert_type: type, alert_type_at: typeAt } = fetch
  const { idempotency_key_at: idAt, created_at_source_at: timeAt } = fetch
  return (
    <>
      <Fact name="List of alerts">{items === '' ? 'the whole answer' : <Place at={items} />}</Fact>
      <Fact name="Provider">
        <Foreign value={provider} />
      </Fact>
      <Fact name="Alert type">
        {typeAt !== null && <Place at={typeAt} />}
        {typeAt !== null && type !== null && ', otherwise '}
        {type !== null && <Foreign value={type} />}
        {typeAt === null && type === null && 'none'}
      </Fact>
      <Fact name="Alert id">{idAt === null ? 'none: an alert is identified by its whole content' : <Place at={idAt} />}</Fact>
      <Fact name="Alert time">{timeAt === null ? 'none' : <Place at={timeAt} />}</Fact>
    </>
  )
}

interface FailureProps {
  readonly of: { readonly code: string; readonly message: string; readonly remedy: string | null }
  /** How many attempts in a row have failed. */
  readonly failures: number
}

function Failure({ of: { code, message, remedy }, failures }: FailureProps): JSX.Element {
  return (
    <Fact name="Failure">
      <span className="problem">
        <Foreign value={message} />
      </span>{' '}
      <Code>
        <Foreign value={code} />
      </Code>
      {remedy !== null && (
        <div>
          <Foreign value={remedyHere(remedy)} />
        </div>
      )}
      {failures > 1 && <div>{failures} attempts in a row have failed.</div>}
    </Fact>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): JSX.Element {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** A JSON pointer. */
function Place({ at }: { readonly at: string }): JSX.Element {
  return (
    <Code>
      <Foreign value={at} />
    </Code>
  )
}
