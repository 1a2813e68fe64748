import type { Reply } from '../faults.ts'
import { isBoolean, isListOf, isObjectOf, isOneOf, isText, withBody } from './checks.ts'
import { featureNames, type SettingsChange } from './issues/records.ts'
import { pageOf } from './paging.ts'
import { badRequest, notFound } from './replies.ts'
import { type Call, paged, type Route } from './route.ts'
import { accountStatuses } from './vocabulary.ts'

export const accountRoutes: readonly Route[] = [
  {
    path: ['accounts'],
    methods: {
      GET: {
        role: 'any_admin_role',
        query: { ...paged, id: null, email: null, status: accountStatuses, role: null },
        repeatable: ['id'],
        answer: listAccounts,
      },
    },
  },
  { path: ['accounts', '*', 'settings'], methods: { PATCH: { role: 'settings_admin', query: {}, answer: updateSettings } } },
]

function listAccounts({ request, tenant, query }: Call): Reply {
  const ids = query.getAll('id')
  const email = query.get('email')?.toLowerCase()
  const status = query.get('status')
  const role = query.get('role')
  return pageOf(
    tenant.accounts,
    (account) =>
      (ids.length === 0 || ids.includes(account.id)) &&
      (email === undefined || account.email === email) &&
      (status === null || account.status === status) &&
      (role === null || account.role === role),
    query,
    request.path,
  )
}

const overrides = isListOf(isObjectOf({ feature: isOneOf(featureNames), state: isOneOf(['on', 'off', 'default']) }, ['feature', 'state']), {
  least: 1,
})
const delegates = isObjectOf({ add: isListOf(isText), remove: isListOf(isText) })

function updateSettings(call: Call): Reply {
  const { tenant, segments } = call
  const id = segments[1] ?? ''
  return withBody<SettingsChange>(call, { vip: isBoolean, featureOverrides: overrides, challengeDelegates: delegates }, [], (change) => {
    const account = tenant.account(id)
    if (!account) return notFound('account')
    const add = change.challengeDelegates?.add ?? []
    const stranger = add.find((email) => !tenant.accounts.some(({ value }) => value.email === email))
    if (stranger !== undefined) return badRequest(`challengeDelegates names ${stranger}, who is no account of the tenant.`)
    if (add.includes(account.email)) return badRequest('challengeDelegates names the account itself.')
    const changed = tenant.changeSettings(id, change)
    return changed ? { status: 200, body: changed.json, written: true } : notFound('account')
  })
}
