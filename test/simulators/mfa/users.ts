/** A paired device, as the provider shows it. Ids are integers of any size. */
interface Device {
  readonly deviceId: number | bigint
  readonly deviceRole: 'PRIMARY' | 'SECONDARY'
  readonly type: string
  readonly nickname: string
  readonly osVersion: string
  readonly appVersion: string
  readonly enrollment: string
  readonly pushEnabled: boolean
}

type Status = 'ACTIVE' | 'SUSPENDED' | 'PENDING' | 'PENDING_ACTIVATION' | 'NOT_ACTIVE'

export interface User {
  readonly userName: string
  readonly fname: string
  readonly lname: string
  readonly status: Status
  readonly devices: readonly Device[]
  /** In epoch milliseconds. Null: no bypass. */
  readonly bypassUntil: number | null
}

function device(deviceId: number | bigint, nickname: string, deviceRole: Device['deviceRole']): Device {
  const common = { osVersion: '17.0', appVersion: '2.0', enrollment: '2026-09-02 03:04:05.678', pushEnabled: true }
  return { deviceId, deviceRole, type: 'iPhone', nickname, ...common }
}

function user(name: string, status: Status, devices: readonly Device[]): User {
  const [fname = '', lname = ''] = name.split('.').map((part) => part.charAt(0).toUpperCase() + part.slice(1))
  return { userName: `${name}@acme.example`, fname, lname, status, devices, bypassUntil: null }
}

/** Returns an active user with one phone. @param name the user name: an address such as `ada.lovelace@acme.example` */
export function userNamed(name: string, deviceId: number): User {
  const [local = ''] = name.split('@')
  const [first = ''] = local.split('.')
  const phone = device(deviceId, `Phone of ${first.charAt(0).toUpperCase()}${first.slice(1)}`, 'PRIMARY')
  return { ...user(local, 'ACTIVE', [phone]), userName: name }
}

/** Returns the same organization at every start. It has the people of the e-mail security simulator. */
export function seedUsers(): readonly User[] {
  return [
    user('ada.lovelace', 'ACTIVE', [device(64498, 'Phone of Ada', 'PRIMARY')]),
    user('grace.hopper', 'SUSPENDED', [device(9007199254740993n, 'Phone of Grace', 'PRIMARY')]),
    user('alan.turing', 'ACTIVE', [device(12345678901234567890n, 'Phone of Alan', 'PRIMARY'), device(12345678901234567891n, 'Tablet', 'SECONDARY')]),
    user('mary.jackson', 'PENDING', []),
  ]
}

/** Returns `userDetails` as in the vendor's reference. */
export function userDetails({ userName, fname, lname, status, devices, bypassUntil }: User, now: number): object {
  const bypassed = bypassUntil !== null && bypassUntil > now
  return {
    userName,
    fname,
    lname,
    email: userName,
    role: 'REGULAR',
    status,
    userEnabled: status !== 'SUSPENDED',
    lastLogin: 1790820000000,
    userInBypass: bypassed,
    bypassExpiration: bypassUntil,
    deviceDetails: devices[0] ?? null,
    devicesDetails: devices,
    spList: [{ spName: 'web', spAlias: 'web', status: bypassed ? 'BYPASS' : 'ACTIVE', bypassExpiration: bypassUntil }],
  }
}
