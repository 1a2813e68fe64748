import { RouteFailed } from '../../egress/index.ts'

/** Returns why an agent has not connected, from the code that it gives. @param target `host:port` */
export function failureOf(code: string, name: string, target: string): RouteFailed {
  if (code === 'not_allowed') return new RouteFailed('agent_refused', `The allow-list of the remote agent ${name} does not have ${target}.`)
  if (code === 'agent_offline') return offline(name)
  if (code === 'agent_busy') return new RouteFailed('agent_busy', `The remote agent ${name} carries as many connections as it may.`)
  return new RouteFailed('network', `The remote agent ${name} could not connect to ${target} (${code})`, code)
}

export function offline(name: string): RouteFailed {
  return new RouteFailed('agent_offline', `No remote agent with the name ${name} is connected.`)
}
