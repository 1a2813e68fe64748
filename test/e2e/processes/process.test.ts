import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { request } from '../../../runtime/cli/client.ts'
import { tocsin as inProcess } from '../../support/processes/in-process.ts'
import { shippedPlugin } from '../../support/processes/installation.ts'
import { Life } from '../../support/processes/life.ts'
import { spawnTocsin } from '../../support/processes/tocsin-process.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
const run = promisify(execFile)
/** Selects the embedded store even if services are available. */
const embedded = { MONGODB_URL: '', REDIS_URL: '' }
/** For processes whose plugins and playbooks do not matter. Loading all that ship would take most of the time. */
const few = { TOCSIN_PLUGINS: shippedPlugin('mailsec'), TOCSIN_PLAYBOOKS: fileURLToPath(new URL('../../faults/playbooks', import.meta.url)) }

/** Runs the command in its own process. Returns what it prints, and its exit code. */
async function tocsin(environment: NodeJS.ProcessEnv, ...words: string[]): Promise<{ out: string; err: string; code: number }> {
  try {
    const { stdout, stderr } = await run(process.execPath, [main, ...words], {
      env: { ...process.env, ...embedded, ...environment },
    })
    return { out: stdout, err: stderr, code: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
    return { out: stdout, err: stderr, code }
  }
}

test('a process that has closed everything ends, whatever timer is left', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-left-timer-'))
  // Helper processes load it, too. They end as they are.
  const lasting = new URL("data:text/javascript,if (process.argv.includes('up')) setInterval(() => {}, 1_000_000)")
  const { child, stop } = await spawnTocsin('up', { ...embedded, ...few, TOCSIN_DATA: directory, TOCSIN_LOG_LEVEL: 'error' }, [], lasting)
  await stop()
  expect(child.exitCode).toBe(0)
  rmSync(directory, { recursive: true, force: true })
})

describe('the first start of a data folder', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-start-'))
  const environment = {
    ...embedded,
    TOCSIN_DATA: join(directory, 'data'),
    TOCSIN_ADMIN_KEY: '',
    TOCSIN_LOG_LEVEL: 'error',
    XDG_STATE_HOME: join(directory, 'state'),
  }
  const file = join(directory, 'data', 'admin.key')
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  /** Starts Tocsin, collects what it prints until it listens, and stops it as a service manager would. */
  async function startAndStop(): Promise<{ printed: string; code: number | null }> {
    const child = spawn(process.execPath, [main, 'up', '--port', '0'], { env: { ...process.env, ...environment } })
    let printed = ''
    const listens = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        printed += String(chunk)
        if (printed.includes('listens on')) resolve()
      })
    })
    await new Life('tocsin up', child).before(listens)
    // Not `exit`: what it printed may come later.
    const gone = once(child, 'close')
    child.kill('SIGTERM')
    const [code] = (await gone) as [number | null]
    return { printed, code }
  }

  test('prints the admin key once, stores it so that only its owner can read it, and exits with 0 on SIGTERM', async () => {
    const first = await startAndStop()
    const key = readFileSync(file, 'utf8').trim()
    expect(first.printed).toContain(key)
    expect(first.code).toBe(0)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700)
    expect(statSync(join(directory, 'data', 'vault.key')).mode & 0o777).toBe(0o600)
    const second = await startAndStop()
    expect(second.printed).not.toContain(key)
    expect(second.printed).not.toContain('tsk_')
    expect(second.printed).toContain(`sign in with an API key, such as the one in ${file}`)
    expect(readFileSync(file, 'utf8').trim()).toBe(key)
  })

  test('the command line finds the server and its key; TOCSIN_ADMIN_KEY works too, and a new value replaces the old one', async () => {
    let running = await spawnTocsin('up', { ...environment, ...few, TOCSIN_ADMIN_KEY: 'first-given-key-of-32-characters!' })
    const organization = (key: string, ...words: string[]) =>
      inProcess(['organization', ...words], { XDG_STATE_HOME: environment.XDG_STATE_HOME, TOCSIN_ADMIN_KEY: key })
    expect(await organization('', 'create', 'ACME', 'Acme')).toMatchObject({ code: 0, out: expect.stringContaining('ACME') })
    expect(await organization('first-given-key-of-32-characters!', 'list')).toMatchObject({ code: 0, out: expect.stringContaining('ACME') })
    await running.stop()
    running = await spawnTocsin('up', { ...environment, ...few, TOCSIN_ADMIN_KEY: 'second-given-key-of-32-characters' })
    expect(await organization('first-given-key-of-32-characters!', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('key_rejected') })
    expect(await organization('second-given-key-of-32-characters', 'list')).toMatchObject({ code: 0 })
    await running.stop()
  })

  test('a second process on the same folder is refused, and the first goes on', async () => {
    const running = await spawnTocsin('up', { ...environment, ...few, TOCSIN_ADMIN_KEY: 'some-given-key-of-32-characters!!' })
    expect(await tocsin({ ...environment, ...few }, 'up', '--port', '0')).toMatchObject({ code: 1, err: expect.stringContaining('store_locked') })
    expect(await request({ url: running.url, key: 'some-given-key-of-32-characters!!' }, 'GET', '/readyz')).toMatchObject({ status: 'ready' })
    await running.stop()
  })
})

describe('a mistake in the configuration is reported before anything starts', () => {
  test.each([
    [['up'], { MONGODB_URL: 'mongodb://127.0.0.1:1' }, 'REDIS_URL'],
    [['up'], { REDIS_URL: 'redis://127.0.0.1:1' }, 'MONGODB_URL'],
    [['serve'], {}, 'MONGODB_URL: is missing'],
    [['worker'], { MONGODB_URL: 'mongodb://127.0.0.1:1' }, 'REDIS_URL'],
    [['up', '--port', 'x'], {}, '--port'],
  ])('%s with %o', async (words, environment, named) => {
    const { code, err } = await inProcess(words, { ...embedded, ...environment })
    expect(code).toBe(1)
    expect(err).toContain('config_invalid')
    expect(err).toContain(named)
  })

  test('a vault key that does not belong to the store is refused', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tocsin-vault-'))
    const environment = {
      ...embedded,
      ...few,
      TOCSIN_DATA: directory,
      TOCSIN_ADMIN_KEY: 'some-given-key-of-32-characters!!',
      TOCSIN_LOG_LEVEL: 'error',
    }
    await (await spawnTocsin('up', environment)).stop()
    const { code, err } = await tocsin({ ...environment, TOCSIN_VAULT_KEY: 'ab'.repeat(32) }, 'up', '--port', '0')
    expect(code).toBe(1)
    expect(err).toContain('vault_key_wrong')
    rmSync(join(directory, 'vault.key'))
    expect(await tocsin(environment, 'up', '--port', '0')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${join(directory, 'vault.key')} is missing. [vault_key_wrong]`),
    })
    expect(existsSync(join(directory, 'vault.key'))).toBe(false)
    expect(statSync(join(directory, 'tocsin.db')).mode & 0o777).toBe(0o600)
    rmSync(directory, { recursive: true })
  })
})

describe('the command line', () => {
  test('checks the shipped playbooks and plugins offline, and names the place of a mistake', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    expect(await inProcess(['playbook', 'lint', join(root, 'playbooks/phishing-reported.yaml')])).toMatchObject({ code: 0 })
    expect(await inProcess(['plugin', 'check', join(root, 'plugins/mailsec')])).toMatchObject({
      code: 0,
      out: expect.stringContaining('mailsec is valid'),
    })
    const { code, out } = await inProcess(['playbook', 'lint', join(root, 'plugins/mailsec/manifest.yaml')])
    expect(code).toBe(1)
    expect(out).toMatch(/manifest\.yaml\n {2}\d+:\d+ {2}error/)
  })

  test('reports a server that does not answer', async () => {
    const { code, err } = await tocsin({ TOCSIN_URL: 'http://127.0.0.1:1', TOCSIN_API_KEY: 'k' }, 'alert', 'list')
    expect(code).toBe(1)
    expect(err).toContain('server_unreachable')
  })
})
