import { expect, test } from 'vitest'
import type { ConnectionId, Pause, PauseAct, PauseId, PauseTarget, PrincipalId } from '../../../../runtime/domain/index.ts'
import { everyone, newTenant, noon, numbersTo, type Tenant, uuid } from '../fixtures.ts'
import type { At } from '../harness.ts'

export function actOf(by: string, at = noon): PauseAct {
  return { at, principal: uuid<PrincipalId>(), by, reason: `${by} said so` }
}

/** The organization is paused if no target is given. */
export function newPause({ id, code }: Tenant, target: PauseTarget | null = null, at = noon): Pause {
  const owner = { organization: id, code }
  return { id: uuid<PauseId>(), target: target ?? { kind: 'organization', owner }, paused: actOf('ada', at), resumed: null }
}

export function pauseCases(at: At): void {
  test('a pause is active until it is ended, also after a restart; then it is kept, with who ended it', async () => {
    const tenant = newTenant()
    const pause = newPause(tenant)
    expect(await at().store.pauses.begin(tenant.scope, pause)).toEqual(pause)
    await at().reopen()
    const { pauses } = at().store
    expect(await pauses.standing(tenant.scope)).toContainEqual(pause)
    expect(await pauses.get(tenant.scope, pause.id)).toEqual(pause)
    const over = { ...pause, resumed: actOf('bob', noon + 9) }
    expect(await pauses.end(tenant.scope, pause.id, over.resumed)).toEqual(over)
    expect(await pauses.standing(tenant.scope)).not.toContainEqual(pause)
    expect(await pauses.get(tenant.scope, pause.id)).toEqual(over)
    expect(await pauses.end(tenant.scope, pause.id, actOf('eve'))).toEqual(over)
    expect(await pauses.end(tenant.scope, uuid(), actOf('eve'))).toBeNull()
  })

  test('a target has one active pause at a time, whoever begins it, and may be paused again afterwards', async () => {
    const { pauses } = at().store
    const tenant = newTenant()
    const owner = { organization: tenant.id, code: tenant.code }
    const targets: PauseTarget[] = [
      { kind: 'organization', owner },
      { kind: 'playbook', playbook: 'a', owner },
      { kind: 'playbook', playbook: 'b', owner },
      { kind: 'playbook', playbook: tenant.code, owner: null },
      { kind: 'connection', connection: uuid<ConnectionId>(), instance: 'prod', owner },
      { kind: 'connection', connection: uuid<ConnectionId>(), instance: 'prod', owner: null },
    ]
    for (const target of targets) {
      const first = newPause(tenant, target)
      expect(await pauses.begin(everyone, first)).toEqual(first)
      expect(await pauses.begin(everyone, newPause(tenant, target))).toEqual(first)
      expect(await pauses.begin(everyone, first)).toEqual(first)
    }
    const [first] = (await pauses.standing(tenant.scope)).filter(({ target }) => target.kind === 'organization')
    await pauses.end(everyone, first!.id, actOf('bob'))
    const second = newPause(tenant)
    expect(await pauses.begin(everyone, second)).toEqual(second)
    expect(await pauses.list(tenant.scope, { standing: false, after: null, limit: 9 })).toMatchObject({ items: [{ id: first!.id }] })
  })

  test('many who ask at once, while others are asking, all see each pause that was begun before they asked', async () => {
    const { pauses } = at().store
    const tenant = newTenant()
    const ask = () => Array.from({ length: 50 }, () => pauses.standing(everyone))
    for (const playbook of ['a', 'b', 'c']) {
      const earlier = ask()
      const pause = newPause(tenant, { kind: 'playbook', playbook, owner: { organization: tenant.id, code: tenant.code } })
      await pauses.begin(tenant.scope, pause)
      for (const standing of await Promise.all(ask())) expect(standing).toContainEqual(pause)
      await Promise.all(earlier)
    }
  })

  test('callers that begin a pause at once all get the active one; callers that end it at once all get the same end', async () => {
    const { store } = at()
    const stores = [store, (await at().second()) ?? store]
    const tenant = newTenant()
    const begun = await Promise.all(numbersTo(12).map((n) => stores[n % 2]!.pauses.begin(everyone, newPause(tenant))))
    const [pause] = (await store.pauses.standing(tenant.scope)).filter(({ target }) => target.kind === 'organization')
    expect(new Set(begun.map(({ id }) => id))).toEqual(new Set([pause!.id]))
    const ended = await Promise.all(numbersTo(12).map((n) => stores[n % 2]!.pauses.end(everyone, pause!.id, actOf(`p${n}`))))
    expect(new Set(ended.map((one) => one?.resumed?.by)).size).toBe(1)
  })

  test('the list is newest first, in pages, and tells active from ended pauses', async () => {
    const { pauses } = at().store
    const tenant = newTenant()
    const owner = { organization: tenant.id, code: tenant.code }
    const all = numbersTo(5).map((n) => newPause(tenant, { kind: 'playbook', playbook: `p${n}`, owner }, noon + 1_000 + Math.floor(n / 2)))
    for (const pause of all) await pauses.begin(everyone, pause)
    await pauses.end(everyone, all[0]!.id, actOf('bob'))
    const own = async (standing?: boolean): Promise<PauseId[]> => {
      const ids: PauseId[] = []
      for (let after: { pausedAt: number; id: PauseId } | null = null; ; ) {
        const page = await pauses.list(tenant.scope, { ...(standing !== undefined && { standing }), after, limit: 2 })
        ids.push(...page.items.filter(({ target }) => target.kind === 'playbook' && target.owner?.organization === tenant.id).map(({ id }) => id))
        const last = page.items.at(-1)
        if (!page.more || !last) return ids
        after = { pausedAt: last.paused.at, id: last.id }
      }
    }
    const newest = all.toSorted((a, b) => b.paused.at - a.paused.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    expect(await own()).toEqual(newest)
    expect(await own(false)).toEqual([all[0]!.id])
    expect(await own(true)).toEqual(newest.filter((id) => id !== all[0]!.id))
  })
}
