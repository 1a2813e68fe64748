import { Modal, type ModalProps } from '@mantine/core'
import { type JSX, useEffect, useState } from 'react'
import { useLateChange } from '../api/late-changes.ts'

/** What had the focus when the first of the dialogs opened that are shown one after the other. */
let opener: Element | null = null

interface DialogProps extends Omit<ModalProps, 'opened' | 'closeButtonProps'> {
  /**
   * A change is being sent. The dialog then stays until the answer: if it went, nobody would see a refusal, or the secret of a new key. If the
   * answer is late, it may go: a message then shows the answer.
   */
  readonly busy?: boolean
}

const stay = (): void => {}

/**
 * A dialog that is open as long as it is rendered. A click beside it does not close it, because that would throw away what somebody has typed.
 * When it goes, the focus returns to what opened it, or to the page if that is gone. Mantine does that only for a dialog that stays rendered
 * while it is closed.
 */
export function Dialog({ busy = false, onClose, ...props }: DialogProps): JSX.Element {
  const [places] = useState(() => {
    const here = document.activeElement
    // A dialog may follow another one: the secret of a new key follows the form.
    if (!document.querySelector('[role="dialog"]')) opener = here
    return [here, opener]
  })
  useEffect(() => () => returnFocus(places), [places])
  const late = useLateChange()
  const held = busy && !late
  return (
    <Modal
      opened
      closeOnClickOutside={false}
      onClose={held ? stay : onClose}
      closeButtonProps={{ 'aria-label': 'Close', disabled: held }}
      {...props}
    />
  )
}

function returnFocus(places: readonly (Element | null)[]): void {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement !== null) return
  const [here = null, first = null] = places
  // A button that has sent something has lost the focus before the session ended. Its dialog is still open.
  const other = document.querySelector('[role="dialog"]')
  const place = [here, other, first, document.querySelector('main')].find((one) => one?.isConnected && one !== body)
  if (place instanceof HTMLElement) place.focus()
}
