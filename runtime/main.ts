import './compile-cache.js'

// Without a listener, Node opens its inspector at this signal. Anybody who connects to it can read everything, including keys.
process.on('SIGUSR1', () => {})

// The agent is a small process of its own, which loads nothing of the rest.
const isAgent = process.argv[2] === 'agent' && process.argv[3] === 'run' && !process.argv.includes('--help')
if (isAgent) await (await import('./cli/agent-program.ts')).becomeAgent(process.argv.slice(4))
// A dynamic import: static imports would be compiled before the cache is on.
const [{ explainFailure }, { buildProgram }, { watchOutput }] = await Promise.all([
  import('./cli/failure.ts'),
  import('./cli/index.ts'),
  import('./cli/output.ts'),
])
// A server goes on when nobody reads what it prints.
if (!['up', 'serve', 'worker'].includes(process.argv[2] ?? '')) watchOutput()

try {
  const program = await buildProgram(process.argv[2])
  await program.parseAsync()
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}
