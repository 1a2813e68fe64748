import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { Person } from '../support/processes/person.ts'
import { browserAtHand, Windows } from '../support/processes/windows.ts'
import { startInstallation } from './installation.ts'
import { playWeek } from './week/play.ts'
import { beginningOf, minute } from './week/schedule.ts'

/**
 * `npm run screenshots [-- --to <folder>] [--all]`: takes the pictures of the README from the demo, in Chromium. Fails if a page of the console
 * reports an error, or if a picture is too large. `--all` also takes every page, at three widths and in both themes.
 */
const { values } = parseArgs({ options: { to: { type: 'string' }, all: { type: 'boolean', default: false } } })
const folder = values.to ?? fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
/** When the week of the pictures ends: always the same time, so that the pictures stay the same. */
const end = Date.UTC(2026, 10, 20, 14, 30)
/** How long a page may take to load its content, in milliseconds. */
const patience = 60_000
/** The largest picture, in bytes. */
const largest = 300_000

/** The objects that the pictures show. */
interface Shown {
  readonly alert: string
  readonly case: string
  readonly run: string
}

/** Finds the alert whose run waits for a person, and the case whose containment was undone. */
async function findShown(admin: Target): Promise<Shown> {
  const { items: runs } = await request(admin, 'GET', '/platformapi/runs?limit=1000')
  const { items: cases } = await request(admin, 'GET', '/platformapi/cases?limit=1000')
  const waiting = (runs as Answer[]).find(({ state, playbook }) => state === 'waiting' && playbook === 'mfa-fatigue')
  const undone = (cases as Answer[]).find(({ superseded }) => superseded !== null)
  if (!waiting || !undone) throw new Error('The week of the demo has no waiting run, or no undone containment.')
  const { items: alerts } = await request(admin, 'GET', `/platformapi/alerts?limit=1000&type=mfa_fatigue`)
  const alert = (alerts as Answer[]).find(({ case_id }) => case_id === waiting['case_id'])
  return { alert: String(alert?.['alert_id']), case: String(undone['case_id']), run: String(waiting['run_id']) }
}

/** Waits until the page has loaded what it shows. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ timeout: patience })
  await page.locator('.mantine-Loader-root').first().waitFor({ state: 'detached', timeout: patience })
  await page.evaluate('document.fonts.ready')
}

async function take(page: Page, name: string): Promise<void> {
  const file = join(folder, `${name}.png`)
  writeFileSync(file, await page.screenshot({ animations: 'disabled', caret: 'hide' }))
  const { size } = statSync(file)
  if (size > largest && !values.all) throw new Error(`${file} has ${size} bytes; at most ${largest} fit the README.`)
  console.log(`${file}  ${Math.round(size / 1_000)} kB`)
}

/** The pages that must open without an error. */
function pagesOf({ alert, case: found, run }: Shown): Readonly<Record<string, string>> {
  const ids = { alert: encodeURIComponent(alert), case: encodeURIComponent(found), run: encodeURIComponent(run) }
  return {
    home: '/',
    alerts: '/alerts',
    alert: `/alerts/${ids.alert}`,
    cases: '/cases',
    case: `/cases/${ids.case}`,
    decisions: '/decisions',
    runs: '/runs',
    run: `/runs/${ids.run}`,
    playbooks: '/playbooks',
    playbook: '/playbooks/mfa_fatigue',
    integrations: '/integrations',
    integration: '/integrations/mfa',
    settings: '/settings',
    fetches: '/settings/fetches',
    'new-fetch': '/settings/fetches/new',
    audit: '/settings/audit',
    start: '/start',
  }
}

/** Visits every page, and goes on after one that fails. */
async function visitAll(person: Person, shown: Shown): Promise<void> {
  for (const [name, path] of Object.entries(pagesOf(shown)))
    await visit(person, name, path).catch((error: unknown) => void person.complaints.push(`${path}: ${String(error)}`))
}

async function visit(person: Person, name: string, path: string): Promise<void> {
  await person.visit(path)
  await settled(person.page)
  if (!values.all) return
  for (const theme of ['light', 'dark'] as const) {
    await person.page.emulateMedia({ colorScheme: theme })
    await person.page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor({ state: 'attached', timeout: patience })
    for (const width of [1440, 1024, 390]) {
      await person.page.setViewportSize({ width, height: 900 })
      await take(person.page, `${name}-${width}-${theme}`)
    }
  }
  await person.page.setViewportSize({ width: 1440, height: 900 })
}

async function screenshots(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const installation = await startInstallation(beginningOf(end))
  const { admin, clock, systems } = installation
  const windows = await Windows.open()
  try {
    await playWeek(admin, clock, systems, end, (done, all) => done === all && console.log(`${all} alerts`))
    clock.release(end)
    const shown = await findShown(admin)
    const person = await Person.open(windows, admin.url, { key: admin.key })
    await person.page.clock.setFixedTime(end + minute)
    await visitAll(person, shown)
    await person.page.emulateMedia({ colorScheme: 'light' })
    const pages = pagesOf(shown)
    for (const name of ['alert', 'case'] as const) {
      await person.visit(pages[name] ?? '/')
      await settled(person.page)
      if (!values.all) await take(person.page, name === 'alert' ? 'console-alerts' : 'console-case')
    }
    if (person.complaints.length > 0) throw new Error(`Pages of the console reported errors:\n${person.complaints.join('\n')}`)
  } finally {
    await windows.close()
    await installation.stop()
  }
}

if (browserAtHand('the pictures of the README')) await screenshots()
