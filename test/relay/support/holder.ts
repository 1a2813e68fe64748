import { systemClock, systemIds } from '../../../runtime/config/index.ts'
import { openRedisDirectory } from '../../../runtime/relay/index.ts'
import { openUnhurriedStore } from '../../support/stores/unhurried-store.ts'
import { Member } from './member.ts'

/* A process that has the tunnel of an agent. Arguments: the URL of Redis, and the address that the agent may connect to. */

const [redis = '', entry = ''] = process.argv.slice(2)
const directory = await openRedisDirectory({ url: redis, prefix: 'test', ids: systemIds })
const member = await new Member({ store: openUnhurriedStore(systemClock), directory, clock: systemClock }).open()
await member.agent('plant', [entry])
console.log('ready')
