import { type Caller, runQuery, textIn } from './query.ts'
import { oneOf, quote, select } from './soql.ts'

/** If more users than this have the same name, the name does not identify anybody. */
const most = 50

/** Returns whether a text is the id of a user. These begin with 005. */
function isUserId(text: string): boolean {
  return /^005[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/.test(text)
}

/**
 * Returns the ids of the users that match an id, a username, an e-mail address or a full name.
 * Empty if there are none.
 */
export async function userIds(call: Caller, user: string): Promise<readonly string[]> {
  if (isUserId(user)) return [user]
  const literal = quote(user)
  const names = ['Username', 'Email', 'Name'].map((field) => `${field} = ${literal}`)
  const { records } = await runQuery(call, select({ fields: ['Id'], from: 'User', where: [`(${names.join(' OR ')})`], limit: most }), most)
  return records.map((record) => textIn(record, 'Id'))
}

/**
 * Returns conditions for a user with this name, for when users cannot be looked up. The first one
 * that the platform understands is used.
 */
export function createdByName(user: string): readonly [byAny: string, byUsername: string] {
  const literal = quote(user)
  const username = `CreatedBy.Username = ${literal}`
  return [`(${username} OR CreatedBy.Email = ${literal} OR CreatedBy.Name = ${literal})`, username]
}

/** Returns the condition that one of these users did it. */
export function createdBy(ids: readonly string[]): string {
  return `CreatedById ${oneOf(ids)}`
}
