/** Returns a host and a port as one text. An IPv6 address gets brackets, as in a URL: `[2001:db8::1]:443`. */
export function hostPort(host: string, port: number): string {
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return `${own}:${port}`
}
