import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../runtime/cli/client.ts'
import { type Installation, newInstallation } from '../support/processes/installation.ts'
import { spawnTocsin, type TocsinProcess } from '../support/processes/tocsin-process.ts'
import { until } from '../support/until.ts'

/** Returns the ports on which a process listens. */
function portsOf(pid: number): readonly number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return []
      }
    }),
  )
  const rows = ['tcp', 'tcp6'].flatMap((file) => readFileSync(`/proc/${pid}/net/${file}`, 'utf8').trim().split('\n').slice(1))
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
    return state === '0A' && inodes.has(inode) ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}

function childrenOf(pid: number): readonly number[] {
  const own = readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' '))
  const pids = own.filter((text) => text !== '').map(Number)
  return [...pids, ...pids.flatMap(childrenOf)]
}

describe.runIf(process.platform === 'linux')('SIGUSR1', () => {
  let installation: Installation
  let tocsin: TocsinProcess
  let plain: ChildProcess

  beforeAll(async () => {
    installation = newInstallation('embedded')
    tocsin = await spawnTocsin('up', { ...installation.environment, NODE_OPTIONS: '--inspect-port=0' })
    plain = spawn(process.execPath, ['--inspect-port=0', '-e', 'setInterval(() => {}, 1000); console.log("up")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    if (plain.stdout) await once(plain.stdout, 'data')
    // Lint runs in a process of its own.
    const text = 'format: 1\nplaybook: a\nalert_type: a\nsteps: []\n'
    await request({ url: tocsin.url, key: installation.adminKey }, 'POST', '/platformapi/playbooks/lint', { text })
  })
  afterAll(async () => {
    plain?.kill('SIGKILL')
    await tocsin?.stop()
    await installation?.remove()
  })

  test('opens the inspector of a plain process, but not of a Tocsin process', async () => {
    const own = tocsin.child.pid ?? 0
    const pids = [own, ...childrenOf(own)]
    expect(pids.length).toBeGreaterThan(1)
    const before = pids.map(portsOf)
    for (const pid of pids) process.kill(pid, 'SIGUSR1')
    // In the time that a plain process needs to open it twice, a Tocsin process would have opened
    // it.
    process.kill(plain.pid ?? 0, 'SIGUSR1')
    await until(async () => portsOf(plain.pid ?? 0).length > 0)
    for (let asked = 0; asked < 20; asked += 1) await request({ url: tocsin.url, key: installation.adminKey }, 'GET', '/readyz')
    expect(pids.map(portsOf)).toEqual(before)
    expect([own, ...childrenOf(own)]).toEqual(pids)
  })
})
