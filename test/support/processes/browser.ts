import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** The path of Chromium. The default is Debian's. */
const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Returns whether a browser is available. If not, prints a line that says so. */
export function browserAtHand(what: string): boolean {
  if (existsSync(executable)) return true
  console.log(`skipped: ${what} in a browser (${executable} is not installed; CHROMIUM may name another)`)
  return false
}

/** Starts a headless browser without its own network traffic. */
export function openBrowser(): Promise<Browser> {
  const quiet = [
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromium.launch({ executablePath: executable, chromiumSandbox: process.getuid?.() !== 0, args: quiet, timeout: 0 })
}

/** A browser window. It collects the errors of the page, including violations of its content security policy. */
export class Person {
  readonly page: Page
  readonly complaints: string[] = []
  readonly #context: BrowserContext

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      // Chromium also logs error answers of the API there. They are not errors of the page.
      if (message.type() === 'error' && !message.text().includes('the server responded with a status')) this.complaints.push(message.text())
    })
  }

  /** Opens the console of a server. Signs in if there is a key. */
  static async open(browser: Browser, url: string, key: string | null = null): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
    // If the element never appears, the timeout of the test ends the wait.
    context.setDefaultTimeout(0)
    const person = new Person(context, await context.newPage())
    await person.page.goto(`${url}/console`)
    if (key !== null) await person.signIn(key)
    return person
  }

  async signIn(key: string): Promise<void> {
    await this.page.getByLabel('API key').fill(key)
    await this.page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Returns the cookies that a script of the page can read. */
  cookies(): Promise<string> {
    return this.page.evaluate('document.cookie') as Promise<string>
  }

  /** Returns the cookies that the browser stores. */
  kept(): Promise<readonly { readonly name: string; readonly value: string; readonly httpOnly: boolean; readonly sameSite: string }[]> {
    return this.#context.cookies()
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}
