import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pretty from 'pino-pretty'

/**
 * `npm run dev [-- flags of tocsin up]`: runs Tocsin, restarts it when a file changes, and prints a readable log.
 * Does not watch playbooks, because Tocsin itself imports changed playbooks.
 */
const folders = ['runtime', 'plugins', 'console']
const root = fileURLToPath(new URL('../../', import.meta.url))
const flags = process.argv.slice(2)

const child = spawn(
  process.execPath,
  [
    '--disable-sigusr1',
    '--watch-preserve-output',
    ...folders.map((folder) => `--watch-path=${root}${folder}`),
    `${root}runtime/tocsin.js`,
    'up',
    ...flags,
  ],
  // Runs continue after the restart, so there is no need to wait for them.
  { env: { TOCSIN_STOP_WITHIN: '1s', ...process.env }, stdio: ['inherit', 'inherit', 'pipe'] },
)
child.stderr.pipe(pretty({ colorize: process.stdout.isTTY === true, translateTime: 'SYS:HH:MM:ss.l', singleLine: true, destination: 1, sync: true }))

// Ctrl-C reaches both processes. This one ends after the other, so that the last lines of the log are printed.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code) => {
  process.exitCode = code ?? 0
})
