/** Fewest Base64 characters that identify a secret inside a longer text; fewer occur in too many words. */
const fewest = 6

/**
 * The forms in which a secret is sent and may be repeated: plain, in JSON, in an address or a form, in Base64 alone or
 * as part of more (such as `user:password`), and in hexadecimal.
 * @param legible returns only the human-readable forms
 */
export function secretForms(secret: string, legible: boolean): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    ...inJson(secret),
    ...inAddress(secret, bytes),
    ...(legible ? [] : [...inBase64(bytes), ...bothCases(bytes.toString('hex'))]),
  ]
}

const bothCases = (text: string) => [text.toLowerCase(), text.toUpperCase()]

/** As JSON encodes it, with the additional escapes of some writers. */
function inJson(secret: string): string[] {
  const usual = JSON.stringify(secret).slice(1, -1)
  const ascii = usual.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [usual, ascii].flatMap((text) => [text, text.replaceAll('/', '\\/')])
}

/** Percent-encoded as little as an address needs, as in a form, and byte by byte; a lone surrogate becomes U+FFFD. */
function inAddress(secret: string, bytes: Buffer): string[] {
  const encoded = encodeURIComponent(bytes.toString())
  const whole = bytes.toString('hex').replace(/../g, '%$&')
  const lower = (text: string) => text.replace(/%../g, (code) => code.toLowerCase())
  const forms = [encoded, new URLSearchParams({ s: secret }).toString().slice(2), whole.toUpperCase()]
  return forms.flatMap((text) => [text, lower(text)])
}

/** The whole encoding, and the part of it that does not depend on the surrounding bytes; in both alphabets. */
function inBase64(bytes: Buffer): string[] {
  const inside = [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
    const bits = 8 * (before + bytes.length)
    const middle = text.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6))
    return middle.length < fewest ? [] : [middle]
  })
  const alone = bytes.toString('base64url')
  const padding = '='.repeat((4 - (alone.length % 4)) % 4)
  return [alone + padding, alone, ...inside].flatMap((text) => [
    text,
    text.replaceAll('-', '+').replaceAll('_', '/'),
  ])
}
