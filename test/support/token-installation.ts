import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect } from 'vitest'
import type { CallDeps } from '../../runtime/connection/call/deps.ts'
import type { Deadline } from '../../runtime/connection/send/deadline.ts'
import { createSender } from '../../runtime/connection/send/way-out.ts'
import { systemScope } from '../../runtime/domain/index.ts'
import type { SendResult, SkillRequest } from '../../runtime/plugin/index.ts'
import { openMemoryStore } from '../../runtime/storage/embedded/index.ts'
import { ManualClock } from './clocks/manual-clock.ts'
import { egressTo, processOver, records, recordsConnection } from './records.ts'
import { TokenSystem } from './token-system.ts'

/** Where the connection says that its system is. */
export const url = 'https://acme.my.example.com'
export const read: SkillRequest = { method: 'GET', path: '/records/1', query: [], headers: {}, body: undefined }
export const write: SkillRequest = { ...read, method: 'PATCH', body: { name: 'new' } }
export const isToken = ({ url: { pathname } }: { readonly url: URL }): boolean => pathname === '/oauth2/token'

/** Makes a system, a store with a connection, and processes that share them. */
export async function tokenInstallation() {
  const clock = new ManualClock()
  const store = openMemoryStore(clock)
  const system = new TokenSystem()
  const connection = recordsConnection(system, url)
  await store.connections.create(systemScope, connection)
  const egress = egressTo(system)
  const newProcess = (): CallDeps => processOver(store, egress, clock)
  const send = (deps: CallDeps, request = read, deadline: Partial<Deadline> = {}, anew = false, who = connection): Promise<SendResult> =>
    createSender(deps, {
      plugin: records,
      connection: who,
      lane: 'run',
      deadline: { timeout: 30_000, sendBy: null, signal: new AbortController().signal, ...deadline },
      anew,
    }).send(request)
  /** Advances the clock in steps, and lets everything run that waits for it. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let done = 0; done < milliseconds; done += 100) {
      for (let turn = 0; turn < 5; turn += 1) await turnOfLoop()
      clock.advance(100)
    }
    for (let turn = 0; turn < 5; turn += 1) await turnOfLoop()
  }
  const asked = (): number => egress.sent.filter(isToken).length
  return { clock, store, system, connection, egress, newProcess, send, pass, asked }
}

/** The result of a call that the system has answered. */
export const fine = expect.objectContaining({ effect: 'done', answer: expect.objectContaining({ status: 200 }) })
