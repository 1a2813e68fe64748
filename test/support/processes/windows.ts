import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

/** The path of Chromium. The default is Debian's. */
const executable = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** Returns whether a browser is available. If not, prints a line that says so. */
export function browserAtHand(what: string): boolean {
  if (existsSync(executable)) return true
  console.log(`skipped: ${what} in a browser (${executable} is not installed; CHROMIUM may name another)`)
  return false
}

/** The browser of this process. */
let shared: Promise<Windows> | undefined

/** A headless browser without its own network traffic. A window takes seconds of processor time to open, so windows are used again. */
export class Windows {
  readonly #browser: Browser
  readonly #idle: Page[] = []

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  /**
   * Returns the browser that all test files of this process share, and starts it for the first. Playwright ends it with the process, so nobody
   * closes it.
   */
  static async shared(): Promise<Windows> {
    const running = await shared
    if (running?.connected) return running
    shared = Windows.open()
    return shared
  }

  /** Whether the browser still runs. */
  get connected(): boolean {
    return this.#browser.isConnected()
  }

  /** Starts a browser. */
  static async open(): Promise<Windows> {
    const args = [
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ]
    return new Windows(await chromium.launch({ executablePath: executable, chromiumSandbox: process.getuid?.() !== 0, args, timeout: 0 }))
  }

  /** Returns an empty window. Windows share no cookies and no storage, and one that was used before has none left. */
  async take(width: number): Promise<Page> {
    const viewport = { width, height: 900 }
    const idle = this.#idle.pop()
    if (idle !== undefined) {
      await idle.setViewportSize(viewport)
      return idle
    }
    const context = await this.#browser.newContext({ viewport, reducedMotion: 'reduce', timezoneId: 'Europe/Zurich' })
    // An element that never appears fails its test. A busy machine may need ten times as long as an idle one.
    context.setDefaultTimeout(120_000)
    return context.newPage()
  }

  /** Stops changing the requests of a page. Some may be under way when a test ends, and their errors no longer count. */
  static async release(page: Page): Promise<void> {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }

  /** Empties a window, for the next one who takes it. */
  async giveBack(page: Page): Promise<void> {
    await page.evaluate('sessionStorage.clear()')
    const { origin } = new URL(page.url())
    await page.goto('about:blank')
    page.removeAllListeners()
    await page.mouse.move(-1, -1)
    await page.emulateMedia({ colorScheme: null, forcedColors: null, media: null })
    const context = page.context()
    await context.clearCookies()
    const debug = await context.newCDPSession(page)
    await debug.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,cache_storage,service_workers' })
    await debug.detach()
    this.#idle.push(page)
  }

  /** Ends the browser, with all windows. */
  close(): Promise<void> {
    return this.#browser.close()
  }
}
