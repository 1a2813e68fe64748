import { parseArgs } from 'node:util'
import { type Answer, request, type Target } from '../../runtime/cli/client.ts'
import { explainFailure } from '../../runtime/cli/failure.ts'
import { dim } from '../../runtime/cli/print.ts'
import { messageOf } from '../../runtime/errors/index.ts'
import { announceServer } from '../../runtime/running/index.ts'
import { connectSimulated } from './empty.ts'
import { type DemoInstallation, startInstallation } from './installation.ts'
import { heading, playStory } from './story/index.ts'
import { playWeek } from './week/play.ts'
import { beginningOf } from './week/schedule.ts'

/**
 * `npm run demo [-- --once | --empty]`: shows Tocsin on this machine alone, with simulated external systems. A week of alerts happens, and the
 * console stays up for the visitor. With `--once` a short story happens instead: the demo prints its cases and ends. With `--empty` nothing
 * happens: the visitor makes the first case.
 */
const { once, empty } = given()

function given() {
  try {
    return parseArgs({ options: { once: { type: 'boolean' }, empty: { type: 'boolean' } } }).values
  } catch (error) {
    console.error(`${messageOf(error)}. The demo takes --once, --empty or nothing.`)
    process.exit(2)
  }
}

/** Prints the progress of the week. A terminal shows it in one line; otherwise each quarter prints a line. */
function progress(done: number, all: number): void {
  const text = `  ${done} of ${all} alerts`
  if (process.stdout.isTTY) process.stdout.write(`\r${text}${done === all ? '\n' : ''}`)
  else if (done % Math.ceil(all / 4) === 0 || done === all) console.log(text)
}

async function count(admin: Target, path: string): Promise<number> {
  const { items } = await request(admin, 'GET', `/platformapi/${path}`)
  return (items as readonly Answer[]).length
}

function sayHowToSignIn({ url, key }: Target, page: string): void {
  heading('Open the console, and sign in with this key:')
  console.log(`  ${url}/console/${page}`)
  console.log(`  ${key}`)
}

async function sayWhatToTry(admin: Target): Promise<void> {
  const cases = await count(admin, 'cases?limit=1000')
  const decisions = await count(admin, 'decisions?state=open')
  sayHowToSignIn(admin, '')
  heading('What to try')
  console.log(`  ${cases} cases, and ${decisions} decisions that wait for you: approve or decline one.`)
  console.log('  Find out why a user was not contained, or take a containment back: open a case, then its run.')
  heading('On the command line, in another terminal')
  console.log('  npm run -s tocsin -- case list')
  console.log('  npm run -s tocsin -- playbook activate <file>')
  console.log('  npm run -s tocsin -- alert post <alert.json> --organization ACME --provider PhishMailbox --type <type> --wait 10')
}

/** Serves until somebody ends the demo. */
async function stayUp({ admin, data }: DemoInstallation): Promise<void> {
  console.log(dim('\nCtrl-C ends the demo and removes what it made.'))
  const withdraw = announceServer({ url: admin.url, data }, process.env)
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  withdraw()
}

async function demo(): Promise<void> {
  const now = Date.now()
  heading('Starting Tocsin with the embedded store and simulated external systems')
  const installation = await startInstallation(once || empty ? now : beginningOf(now))
  const { admin, systems, clock } = installation
  try {
    console.log(`  Tocsin  ${admin.url}`)
    if (once) {
      clock.release(now)
      return await playStory(admin, systems)
    }
    if (empty) {
      clock.release(Date.now())
      await connectSimulated(admin, systems)
      sayHowToSignIn(admin, 'start')
    } else {
      heading('A week of alerts at three organizations')
      await playWeek(admin, clock, systems, now, progress)
      clock.release(Date.now())
      await sayWhatToTry(admin)
    }
    await stayUp(installation)
  } finally {
    await installation.stop()
  }
}

try {
  await demo()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}
