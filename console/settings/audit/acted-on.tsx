import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ActView } from '../../../runtime/api/index.ts'
import { Foreign } from '../../shared/foreign.tsx'
import { addressOf, CaseLink, RunLink } from '../../shared/links.tsx'

/** What an act was done to: names and ids. Cases, comments, runs and decisions are links. */
export function ActedOn({ on }: { readonly on: ActView['on'] }): JSX.Element {
  return (
    <dl className="acted-on">
      {Object.entries(on)
        .filter(([, value]) => value !== null && value !== '')
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
    if (name === 'run') return <RunLink id={value} />
    if (name === 'comment' && typeof on['case'] === 'string') return <Link href={addressOf.entry(on['case'], value)}>in the case</Link>
    if (name === 'decision')
      return (
        <Link href={addressOf.decision(value)}>
          <Foreign value={value} />
        </Link>
      )
  }
  return <Foreign value={textOf(value)} />
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
