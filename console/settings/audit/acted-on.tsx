import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ActView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { isRawId, ShortId } from '../../shared/ids/short-id.tsx'
import { addressOf, CaseLink, ConnectionLink, DecisionLink, RunLink } from '../../shared/links.tsx'

/** What an act was done to: names and ids. Cases, comments, runs and decisions are links. */
export function ActedOn({ on }: { readonly on: ActView['on'] }): JSX.Element {
  return (
    <dl className="acted-on">
      {Object.entries(on)
        .filter(([name, value]) => value !== null && value !== '' && !(name === 'instance' && linksConnection(on)))
        .map(([name, value]) => (
          <div key={name}>
            <dt>
              <Foreign value={name.replaceAll('_', ' ')} />
            </dt>
            <dd>
              <Value name={name} value={value} on={on} />
            </dd>
          </div>
        ))}
    </dl>
  )
}

function Value({ name, value, on }: { readonly name: string; readonly value: unknown; readonly on: ActView['on'] }): JSX.Element {
  if (typeof value === 'string') {
    if (name === 'case') return <CaseLink id={value} />
    if (name === 'run' || (name === 'undo' && isRawId(value))) return <RunLink id={value} copy />
    if (name === 'comment' && typeof on['case'] === 'string') return <Link href={addressOf.entry(on['case'], value)}>in the case</Link>
    if (name === 'decision') return <DecisionLink id={value} copy />
    if (isRawId(value)) return <Thing name={name} id={value} on={on} />
  }
  return <Foreign value={textOf(value)} />
}

/** Whether an act names everything that a link to its connection needs. */
function linksConnection(on: ActView['on']): on is { readonly connection: string; readonly integration: string; readonly instance: string } {
  return [on['connection'], on['integration'], on['instance']].every((value) => typeof value === 'string')
}

/** Something that has an id which says nothing. A connection leads to its page, under the name that people gave it. */
function Thing({ name, id, on }: { readonly name: string; readonly id: string; readonly on: ActView['on'] }): JSX.Element {
  if (name === 'connection' && linksConnection(on)) return <ConnectionLink integration={on.integration} instance={on.instance} id={id} copy />
  return <ShortId value={id} what={`the id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}`} />
}

/** Says a value on one line: lists as `a, b`, and fields as `status: closed, severity: low`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return Object.entries(value)
    .map(([name, item]) => `${name.replaceAll('_', ' ')}: ${item === null ? 'none' : textOf(item)}`)
    .join(', ')
}
