/** IP addresses and domains. */
export { cidrContains } from './cidr-contains.ts'
export { domainOf } from './domain-of.ts'
export { isPrivateIp } from './is-private-ip.ts'
