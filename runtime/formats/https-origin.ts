/** Returns the URL of a bare HTTPS origin, such as `https://api.example.com`. Null if the text is anything else, or has a path. */
export function httpsOrigin(text: string): URL | null {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.href === `${url.origin}/` ? url : null
}
