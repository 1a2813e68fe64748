import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import type { JSX } from 'react'
import { IconCheck, IconCopy } from './icons.ts'

/** A button that copies an id or another text. */
export function Copy({ value, what }: { readonly value: string; readonly what: string }): JSX.Element {
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            className="copy"
            aria-label={copied ? 'Copied' : `Copy ${what}`}
            onClick={(event) => {
              event.stopPropagation()
              event.preventDefault()
              copy()
            }}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}
