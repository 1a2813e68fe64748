import type { Page } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { type Opening, Person } from '../processes/person.ts'
import { Windows } from '../processes/windows.ts'

/** The windows that the tests of one `describe` open. */
export interface Visits {
  /** The window that was opened last. */
  readonly person: Person
  /** Opens an address of the console in a new window, signed in as the administrator or with another key: `/alerts?status=Failed`. */
  at(path: string, opening?: Opening): Promise<Page>
}

/**
 * Takes the shared browser for the tests of one `describe`. After each test, checks that no page reported an error, and empties the windows.
 * @param server tells where the server is, and the key of its administrator
 */
export function visiting(server: () => { readonly url: string; readonly key: string }): Visits {
  let windows: Windows
  const open: Person[] = []

  beforeAll(async () => {
    windows = await Windows.shared()
  })
  afterEach(async ({ task }) => {
    const closed = open.splice(0)
    const failed = task.result?.state === 'fail'
    await Promise.all(closed.map(({ page }) => Windows.release(page)))
    await Promise.all(closed.map(({ page, once }) => (once || failed ? page.context().close() : windows.giveBack(page))))
    expect(closed.flatMap(({ complaints }) => complaints)).toEqual([])
  })

  return {
    get person() {
      const last = open.at(-1)
      if (last === undefined) throw new Error('no window is open')
      return last
    },
    async at(path, opening = {}) {
      const { url, key } = server()
      const person = await Person.open(windows, url, { key, ...opening })
      open.push(person)
      return person.visit(path)
    },
  }
}
