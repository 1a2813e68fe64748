import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Debian's; another may be named. */
const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Whether a browser is at hand; says so in one line when none is. */
export function browserAtHand(what: string): boolean {
  if (existsSync(executable)) return true
  console.log(`skipped: ${what} in a browser (${executable} is not installed; CHROMIUM may name another)`)
  return false
}

/** A headless browser without a network of its own. */
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

/** A person's window: what the page complains of is gathered, the refusals of its own content policy among it. */
export class Person {
  readonly page: Page
  readonly complaints: string[] = []
  readonly #context: BrowserContext

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      // An answer of the API that refuses is told there, too, and is no fault of the page.
      if (message.type() === 'error' && !message.text().includes('the server responded with a status')) this.complaints.push(message.text())
    })
  }

  /** At the console of a server; signed in where there is a key. */
  static async open(browser: Browser, url: string, key: string | null = null): Promise<Person> {
    const context = await browser.newContext({ viewport: { width: 1200, height: 900 } })
    // What never comes ends with the test's own time-out.
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

  /** What a script of the page could read of its cookies. */
  cookies(): Promise<string> {
    return this.page.evaluate('document.cookie') as Promise<string>
  }

  /** The cookies as the browser keeps them. */
  kept(): Promise<readonly { readonly name: string; readonly value: string; readonly httpOnly: boolean; readonly sameSite: string }[]> {
    return this.#context.cookies()
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}
