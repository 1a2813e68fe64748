import { Fragment, type JSX } from 'react'
import { Foreign } from '../shared/foreign.tsx'

/** The address of a step. If it takes several lines, they begin after a slash. */
export function StepAddress({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      {address.split('/').map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address never change their places
        <Fragment key={at}>
          {at > 0 && (
            <>
              /<wbr />
            </>
          )}
          <Foreign value={part} />
        </Fragment>
      ))}
    </>
  )
}
