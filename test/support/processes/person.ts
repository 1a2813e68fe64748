import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import type { Windows } from './windows.ts'

/** The source of axe, which finds breaches of WCAG in a page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The rules that every page must keep: WCAG 2.2 A and AA, and good practice. */
const everyRule = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
/** The rules whose result depends on the theme. */
const rulesOfColour = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }

/** The widths of the windows in which the console is tested: a desktop, a tablet and a phone. */
export const widths = { desktop: 1440, tablet: 1024, phone: 390 } as const

/** How a window is opened. */
export interface Opening {
  /** The API key of the person. Null: nobody is signed in. */
  readonly key?: string | null
  /** In pixels. Absent: that of a desktop. */
  readonly width?: number
  /** The window is closed after the test, because the test changes it for good: its clock, for example. */
  readonly once?: boolean
}

/** A browser window. It collects the errors of its pages, including violations of their content security policy. */
export class Person {
  readonly page: Page
  readonly complaints: string[] = []
  /** Whether the window must be closed after the test. */
  readonly once: boolean
  readonly #url: string

  private constructor(page: Page, url: string, once: boolean) {
    this.#url = url
    this.once = once
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      // Chromium also logs requests that were refused or cut off. The page must cope with them.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) this.complaints.push(message.text())
    })
  }

  /**
   * Takes an empty window for the console of a server. With a key, the person is signed in: the window has the cookie of the console (decision 30).
   */
  static async open(windows: Windows, url: string, { key = null, width = widths.desktop, once = false }: Opening = {}): Promise<Person> {
    const page = await windows.take(width)
    if (key !== null) await page.context().addCookies([{ name: 'Session', value: key, url, httpOnly: true, sameSite: 'Strict' }])
    return new Person(page, url, once)
  }

  /** Signs in with the form. */
  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key', { exact: true }).fill(key)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Opens an address of the console: `/alerts?status=Failed`. */
  async visit(path: string): Promise<Page> {
    await this.page.goto(`${this.#url}/console${path}`)
    return this.page
  }

  /** Makes the window wider or narrower, and waits until the page has drawn itself anew. */
  async resize(width: number): Promise<void> {
    await this.page.setViewportSize({ width, height: 900 })
    await this.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  }

  /** Chooses from a menu with the keyboard. @param opener the button of the menu */
  async choose(opener: Locator, item: string): Promise<void> {
    await opener.press('Enter')
    // A menu takes the focus only after it has opened. A key pressed before that would go elsewhere.
    await this.page.locator('[role="menu"]:focus, [role="menu"] :focus').waitFor()
    await this.page.getByRole('menuitem', { name: item }).press('Enter')
  }

  /** Replaces the text of a code editor. */
  async rewrite(editor: Locator, text: string): Promise<void> {
    await editor.click()
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.paste(text)
  }

  /** Pastes where the focus is. Chromium's own way to insert several lines would add styles that the policy of the page forbids. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate(`{
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', ${JSON.stringify(text)})
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }`)
  }

  /**
   * Looks for breaches of WCAG, in the light and in the dark theme, and whether the page scrolls sideways. The page stays dark.
   * @returns a line for each fault
   */
  async faults(): Promise<readonly string[]> {
    const found: string[] = []
    for (const [colorScheme, rules] of [['light', everyRule] as const, ['dark', rulesOfColour] as const]) {
      await this.page.emulateMedia({ colorScheme })
      await this.page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' })
      found.push(...(await this.#breaches(rules)).map((line) => `${colorScheme}: ${line}`))
    }
    const over = await this.overflow()
    return over > 0 ? [...found, `the page is ${over} pixels wider than the window`] : found
  }

  /** Checks the page with axe. @returns a line for each breach: the rule, and the elements */
  async #breaches(rules: object): Promise<readonly string[]> {
    // The policy of the page allows no scripts from a test. A debugger may evaluate one.
    if (!(await this.page.evaluate('"axe" in globalThis'))) await this.page.evaluate(axe)
    const run = `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' | ')))`
    return (await this.page.evaluate(run)) as readonly string[]
  }

  /** Returns by how many pixels the page is wider than the window. */
  overflow(): Promise<number> {
    return this.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>
  }

  /** Returns the cookies that a script of the page can read. */
  cookies(): Promise<string> {
    return this.page.evaluate('document.cookie') as Promise<string>
  }

  /** Returns the cookies that the browser stores. */
  kept(): Promise<readonly { readonly name: string; readonly value: string; readonly httpOnly: boolean; readonly sameSite: string }[]> {
    return this.page.context().cookies()
  }
}
