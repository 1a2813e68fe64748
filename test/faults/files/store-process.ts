import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Tenant } from '../../conformance/storage/fixtures.ts'
import { Life } from '../../support/processes/life.ts'
import { until } from '../../support/until.ts'

export interface Refusal {
  readonly code: string
  readonly message: string
}

interface Line {
  readonly opened?: true
  readonly acknowledged?: readonly string[]
  readonly refused?: Refusal
  readonly ready?: Refusal | null
  readonly held?: true
  readonly notice?: { readonly level: string; readonly message: string }
  readonly failed?: Refusal
}

/** A process that runs `host.ts`, and what it has reported. */
export interface StoreProcess {
  /** Ids of alerts, in the order in which they were acknowledged. */
  readonly acknowledged: readonly string[]
  readonly refusals: readonly Refusal[]
  /** Its notices. */
  readonly notices: readonly string[]
  /** Returns null if the store is ready. */
  ping(): Promise<Refusal | null>
  /** Lets it insert nothing until `resume`. Resolves when all its threads sleep. */
  hold(): Promise<void>
  resume(): void
  /** Stops the process in the middle of whatever it does, until `thaw`. */
  freeze(): void
  thaw(): void
  /** Kills it like `kill -9`. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const host = fileURLToPath(new URL('host.ts', import.meta.url))

/**
 * Starts the process. Resolves when the store is open.
 * @throws the refusal that the process reported
 */
export async function startStore(directory: string, tenant: Tenant): Promise<StoreProcess> {
  const child = spawn(process.execPath, [host, directory, JSON.stringify(tenant)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const acknowledged: string[] = []
  const refusals: Refusal[] = []
  const notices: string[] = []
  const pings: ((answer: Refusal | null) => void)[] = []
  const holds: (() => void)[] = []
  const opened = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Line
      if (line.opened) resolve()
      if (line.acknowledged) acknowledged.push(...line.acknowledged)
      if (line.refused) refusals.push(line.refused)
      if (line.notice) notices.push(line.notice.message)
      if (line.ready !== undefined) pings.shift()?.(line.ready)
      if (line.held) holds.shift()?.()
      if (line.failed) reject(line.failed)
    })
  })
  const life = new Life('the store process', child)
  await life.before(opened)
  return {
    acknowledged,
    refusals,
    notices,
    ping: () =>
      life.before(
        new Promise((resolve) => {
          pings.push(resolve)
          child.stdin.write('ping\n')
        }),
      ),
    async hold() {
      const held = new Promise<void>((resolve) => {
        holds.push(resolve)
        child.stdin.write('hold\n')
      })
      await life.before(held)
      await until(async () => sleeps(Number(child.pid)))
    },
    resume: () => void child.stdin.write('resume\n'),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill: () => life.kill(),
    async stop() {
      child.stdin.write('stop\n')
      await life.ended()
    },
  }
}

/** Returns whether no thread of a process computes or waits for the disk. */
function sleeps(pid: number): boolean {
  const states = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.[0])
  return states.every((state) => state === 'S')
}

/** Waits until this many more alerts were acknowledged. */
export async function more(process: StoreProcess, count: number): Promise<void> {
  const before = process.acknowledged.length
  await until(async () => process.acknowledged.length >= before + count)
}
