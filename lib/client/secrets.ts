/** Credentials: the header that carries them, and their removal from everything that is shown. */
const fewest = 6 // fewest Base64 characters that identify a secret inside a longer text

/**
 * The forms in which a secret is sent and may be repeated: plain, in JSON, in an address or a form, in Base64 alone or
 * as part of more (such as `user:password`), and in hexadecimal. @param legible returns only the human-readable forms
 */
function secretForms(secret: string, legible: boolean): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    ...inJson(secret),
    ...inAddress(secret, bytes),
    ...(legible ? [] : [...inBase64(bytes), ...bothCases(bytes.toString('hex'))]),
  ]
}

const bothCases = (text: string) => [text.toLowerCase(), text.toUpperCase()]

/** Including the additional escapes of some writers. */
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

export const blank = '***'

/** A shorter secret is blanked only as a whole word: blanking every `ab` would garble most words. */
const shortest = 4

/** Blanks every secret in the texts of a value: a device or a gateway may repeat what it was sent. */
export function withoutSecrets<Value>(value: Value, forms: readonly string[]): Value {
  const blanked = (part: unknown): unknown => {
    if (typeof part === 'string') return blankedIn(part, forms)
    if (Array.isArray(part)) return part.map(blanked)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [blanked(key), blanked(inner)]))
  }
  return (forms.length ? blanked(value) : value) as Value
}

/** @param forms as returned by `formsOf` */
export const blankedIn = (text: string, forms: readonly string[]): string =>
  forms.reduce(
    (rest, form) => (form.length < shortest ? blankedAlone(rest, form) : rest.replaceAll(form, blank)),
    text,
  )

/** Only where no letter or digit is next to it. */
function blankedAlone(text: string, form: string): string {
  let result = ''
  let from = 0
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    if (at < from || isWordCharacter(text[at - 1]) || isWordCharacter(text[at + form.length])) continue
    result += text.slice(from, at) + blank
    from = at + form.length
  }
  return result + text.slice(from)
}

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** All forms, longest first, as one may contain another. Secrets under 4 characters: only human-readable forms. */
export function formsOf(...secrets: readonly unknown[]): string[] {
  const forms = secrets.flatMap((secret) =>
    typeof secret !== 'string' || secret === '' ? [] : secretForms(secret, secret.length < shortest),
  )
  return [...new Set(forms)].sort((one, other) => other.length - one.length)
}

/** Login for a gateway in front of the device; the device itself has none. Never shown anywhere. */
export type Login = { user: string; password: string } | { token: string }

export const authorizationOf = (login: Login): string =>
  'token' in login
    ? `Bearer ${login.token}`
    : `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`

/** The parts of a login and its header that must never be shown, in each form in which they are sent. */
export const secretsOf = (login: Login, header: string): string[] =>
  formsOf(header.replace(/^\w+ /, ''), 'token' in login ? login.token : login.password)
