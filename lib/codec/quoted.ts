const escaped = /["\\\u0000-\u001f\ud800-\udfff]/
const shortLength = 16

/** A quoted string as `JSON.stringify` writes it; faster for the usual texts, which need no escape. */
export function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text)
}

function isPlain(text: string): boolean {
  if (text.length > shortLength) return !escaped.test(text)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x22 || code === 0x5c || code >= 0xd800) return false
  }
  return true
}

const mostKeys = 1000
const keys = new Map<string, string>()

/** A field name with its quotes and colon. Cached, because the device's bodies repeat a few names. */
export function quotedKey(key: string): string {
  let found = keys.get(key)
  if (found === undefined) {
    found = `${quoted(key)}:`
    if (keys.size === mostKeys) keys.clear()
    if (key.length <= 60) keys.set(key, found)
  }
  return found
}
