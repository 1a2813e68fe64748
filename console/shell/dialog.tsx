import { Modal, type ModalProps } from '@mantine/core'
import { type JSX, useEffect, useState } from 'react'

/** What had the focus when the first of the dialogs opened that are shown one after the other. */
let opener: Element | null = null

/**
 * A dialog that is open as long as it is rendered. When it goes, the focus returns to what opened it, or to the page if that is gone. Mantine
 * does that only for a dialog that stays rendered while it is closed.
 */
export function Dialog(props: Omit<ModalProps, 'opened'>): JSX.Element {
  const [places] = useState(() => {
    const here = document.activeElement
    // A dialog may follow another one: the secret of a new key follows the form.
    if (!document.querySelector('[role="dialog"]')) opener = here
    return [here, opener]
  })
  useEffect(() => () => returnFocus(places), [places])
  return <Modal opened {...props} />
}

function returnFocus(places: readonly (Element | null)[]): void {
  const { activeElement, body } = document
  if (activeElement !== body && activeElement !== null) return
  const place = [...places, document.querySelector('main')].find((one) => one?.isConnected && one !== body)
  if (place instanceof HTMLElement) place.focus()
}
