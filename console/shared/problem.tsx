import type { JSX } from 'react'
import { Refused } from '../api/refused.ts'
import { Text } from './text.tsx'

/** Shows an error and its remedy. */
export function ProblemNote({ error }: { readonly error: unknown }): JSX.Element {
  if (!(error instanceof Refused)) {
    return (
      <div role="alert" className="problem">
        <strong>The console failed unexpectedly.</strong> <Text value={String(error)} />
      </div>
    )
  }
  const { title, detail, remedy, errors = [], code } = error.problem
  return (
    <div role="alert" className="problem">
      <strong>
        <Text value={title} />
      </strong>{' '}
      {detail !== title && <Text value={detail} />}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <Text value={field === '' ? message : `${field}: ${message}`} />
            </li>
          ))}
        </ul>
      )}
      <p>
        <Text value={remedy} /> <code>{code}</code>
      </p>
    </div>
  )
}
