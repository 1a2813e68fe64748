import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { spawnTocsin } from '../../support/processes/tocsin-process.ts'

/* Follows the tutorial: saves its files, runs its commands in one shell, and compares what they print. */

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/guides/first-playbook.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tocsin-tutorial-'))
// The folder has what a reader has before the tutorial.
for (const name of ['package.json', 'node_modules', 'runtime', 'plugins', 'playbooks', 'schemas']) symlinkSync(join(root, name), join(folder, name))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Block =
  | { readonly kind: 'save'; readonly file: string; readonly text: string }
  | { readonly kind: 'run'; readonly commands: string; readonly prints: string | null }
  | { readonly kind: 'start' }

function blocksOf(): Block[] {
  const blocks: Block[] = []
  for (const { index, 1: info = '', 2: text = '' } of page.matchAll(/```([^\n]+)\n(.*?)```/gs)) {
    const last = blocks.at(-1)
    if (info === 'yaml') blocks.push({ kind: 'save', file: /`([^`]+)`:\s*$/.exec(page.slice(0, index))?.[1] ?? '', text })
    else if (info === 'sh') blocks.push({ kind: 'run', commands: text, prints: null })
    else if (info === 'sh second terminal') blocks.push({ kind: 'start' })
    else if (info === 'text' && last?.kind === 'run') blocks[blocks.length - 1] = { ...last, prints: text }
    else throw new Error(`this test cannot follow a block \`${info}\` of the tutorial`)
  }
  return blocks
}

/** Replaces what differs between runs. */
function settled(text: string): string {
  return text
    .replace(/\d+ ms/g, 'N ms')
    .replace(/\d{4}-\d\d-\d\d/g, 'YYYY-MM-DD')
    .replace(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')
    .trim()
}

/** Opens a shell that runs blocks of commands in order, and returns what each printed. */
function openShell(environment: NodeJS.ProcessEnv) {
  const shell = spawn('bash', [], { cwd: folder, env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const mark = '--- end of block ---'
  let printed = ''
  let waiting: (() => void) | null = null
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes(mark)) waiting?.()
  })
  return {
    run: async (commands: string): Promise<string> => {
      printed = ''
      const done = new Promise<void>((resolve) => {
        waiting = resolve
      })
      shell.stdin.write(`exec 2>&1\n${commands}\necho '${mark}'\n`)
      await done
      return printed.slice(0, printed.indexOf(mark))
    },
    close: () => shell.kill(),
  }
}

test('the commands of the tutorial print what it shows', async () => {
  mkdirSync(join(folder, 'data'))
  // Without services, like a reader.
  const own = { MONGODB_URL: '', REDIS_URL: '', TOCSIN_DATA: join(folder, 'data'), TOCSIN_LOG_LEVEL: 'warn', npm_config_update_notifier: 'false' }
  const environment = { ...process.env, ...own }
  let shell = openShell(environment)
  let running: Awaited<ReturnType<typeof spawnTocsin>> | null = null
  const blocks = blocksOf()
  const log: string[] = []
  try {
    for (const block of blocks) {
      if (block.kind === 'save') {
        writeFileSync(join(folder, block.file), block.text)
      } else if (block.kind === 'start') {
        // A reader uses the default port. This test needs a free one.
        running = await spawnTocsin('up', environment, log)
        shell.close()
        shell = openShell({ ...environment, TOCSIN_URL: running.url })
        const [first] = blocks.flatMap((one) => (one.kind === 'run' ? [one.commands] : []))
        await shell.run(first ?? '')
      } else {
        const printed = await shell.run(block.commands)
        if (block.prints !== null) expect(settled(printed)).toContain(settled(block.prints))
      }
    }
  } finally {
    shell.close()
    await running?.stop()
  }
  expect(blocks.length).toBeGreaterThan(10)
  // The tutorial saves a playbook with mistakes on purpose.
  expect(log.filter((line) => !line.includes('could not import a playbook'))).toEqual([])
})
