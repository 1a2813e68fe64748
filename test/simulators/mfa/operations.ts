import { type User, userDetails } from './users.ts'

export type Body = Readonly<Record<string, unknown>>

/** The result of an operation: an errorId from the vendor's list, its text, and the members of a success. */
export interface Outcome {
  readonly errorId: number
  readonly errorMsg: string
  readonly more?: object
  /** The user after the change. */
  readonly changed?: User
}

export interface Organization {
  readonly users: ReadonlyMap<string, User>
  /** The organization's time, in epoch milliseconds. */
  readonly now: number
}

interface Operation {
  /** The check of each known member of reqBody. */
  readonly takes: Readonly<Record<string, (value: unknown) => boolean>>
  readonly needs: readonly string[]
  readonly run: (user: User, body: Body, organization: Organization) => Outcome
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''
const isId = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean' || value === 'true' || value === 'false'
const common = { userName: isText, clientData: (value: unknown): boolean => value === null || typeof value === 'string' }
const ok = (changed?: User, more?: object): Outcome => ({ errorId: 200, errorMsg: 'ok', ...(changed && { changed }), ...(more && { more }) })

/** The operations by path: `/rest/4/<path>/do`. Source: the vendor's reference, User Management. */
const operations: Readonly<Record<string, Operation>> = {
  getuserdetails: {
    takes: { ...common, getSameDeviceUsers: isBoolean },
    needs: ['userName', 'getSameDeviceUsers'],
    run: (user, _, { now }) => ok(undefined, { userDetails: userDetails(user, now), sameDeviceUsersDetails: [] }),
  },
  suspenduser: {
    takes: common,
    needs: ['userName'],
    run: (user) =>
      user.status === 'ACTIVE' ? ok({ ...user, status: 'SUSPENDED' }) : { errorId: 10561, errorMsg: 'User suspension failed, user is not active' },
  },
  activateuser: {
    takes: { ...common, deviceType: (value) => value === 'DESKTOP' || value === 'MOBILE' },
    needs: ['userName'],
    run: (user) => {
      if (user.status === 'ACTIVE') return { errorId: 10562, errorMsg: 'User activation failed, user is already active' }
      if (user.status === 'SUSPENDED') return ok({ ...user, status: 'ACTIVE' })
      return ok({ ...user, status: 'PENDING_ACTIVATION' }, { activationCode: 123456789012 })
    },
  },
  userbypass: {
    takes: {
      ...common,
      bypassUntil: (value) => value === null || typeof value === 'number',
      spAliases: (value) => Array.isArray(value) && value.every(isText),
    },
    needs: ['userName', 'bypassUntil'],
    run: (user, { bypassUntil }) => ok({ ...user, bypassUntil: typeof bypassUntil === 'number' ? bypassUntil : null }),
  },
  unpairdevice: {
    takes: { ...common, deviceId: isId },
    needs: ['userName'],
    run: (user, { deviceId }) => {
      if (deviceId === undefined) return ok({ ...user, devices: [] })
      const devices = user.devices.filter((device) => device.deviceId !== deviceId)
      return devices.length < user.devices.length ? ok({ ...user, devices }) : { errorId: 400, errorMsg: 'Invalid input: no such device' }
    },
  },
}

/** Converts what the vendor's own samples send to the documented form. */
function documented({ deviceId, ...body }: Body): Body {
  const id = typeof deviceId === 'string' && /^\d+$/.test(deviceId) ? BigInt(deviceId) : deviceId
  const exact = typeof id === 'bigint' && Number.isSafeInteger(Number(id)) ? Number(id) : id
  return { getSameDeviceUsers: false, ...body, ...(exact !== undefined && exact !== null && { deviceId: exact }) }
}

/**
 * Executes an operation. Returns null if the provider has no such operation.
 *
 * @param strict refuses unknown members, missing members and undocumented types
 */
export function operate(name: string, sent: Body, organization: Organization, strict: boolean): Outcome | null {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!operation) return null
  const { takes } = operation
  const body = strict ? sent : Object.fromEntries(Object.entries(documented(sent)).filter(([member]) => Object.hasOwn(takes, member)))
  const wrong = Object.keys(body).find((key) => operation.takes[key]?.(body[key]) !== true) ?? operation.needs.find((key) => body[key] === undefined)
  if (wrong !== undefined) return { errorId: 400, errorMsg: `Invalid input: ${wrong}` }
  const user = organization.users.get(String(body['userName']).toLowerCase())
  return user ? operation.run(user, body, organization) : { errorId: 10564, errorMsg: 'User does not exist' }
}
