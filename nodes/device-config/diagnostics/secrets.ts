/** Removes secrets from the diagnostics: those that are stored, and whatever looks like one. */
import type { NodeAPI } from 'node-red'
import { blank, blankedIn, formsOf } from '../../../lib/client/secrets'
import { typedAddress } from '../../../lib/contract/reading/address'
import { environmentText } from '../../shared/read-fields'
import { deployedDevices, type DeviceConfigNode } from '../deployed-device'

/** Names of secret properties and parameters. */
const secretName =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|private|dongle|(?:api|access|licen[cs]e)[-_ ]?key|kennwort/i

/** Words that precede a secret in a log line. */
const secretWord = /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|key|kennwort/i

/** What may stand between such a word and its value. */
const assignment = /["']?\s*(?:[:=]|(?:is|was|ist|war)\b)\s*/y

const assigned = /"[^"]*"|'[^']*'|[^\s,;&}]+/y

/** Length of a run of characters that only a key or a hash has. */
const longRun = 40

/** Patterns of secrets in any text. Each looks at every character a bounded number of times. */
const expressions: readonly [RegExp, string][] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(?:-----END [^-]*-----|$)/g, blank],
  // User info in an address.
  [/\/\/[^\s/?#"']*@/g, `//${blank}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${blank}`],
  [
    /\b(pass(?:word|wd|phrase|code)|secret|token|kennwort)(\s+)(?!\*{3}|(?:is|was|ist|war)\b)[^\s,;:=]+/gi,
    `$1$2${blank}`,
  ],
  // Hashes, and grouped keys such as those of licences.
  [/\b[0-9a-f]{32,}\b/gi, blank],
  [/\b[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,}\b/g, blank],
]

/** Blanks everything in a text that looks secret. Takes time proportional to its length, whatever it contains. */
export function withoutSecretTexts(text: string): string {
  const rest = expressions.reduce((part, [pattern, instead]) => part.replace(pattern, instead), text)
  return withoutAssigned(rest)
    .replace(/[\w.-]+/g, withoutWebToken)
    .replace(/[A-Za-z0-9+/]+/g, (run) => (run.length < longRun ? run : blank))
}

/** Blanks the value after each word that announces a secret: `password: x`, `"api_key" = "x"`, `the token is x`. */
function withoutAssigned(text: string): string {
  const words = /[\w-]+/g
  let kept = ''
  let from = 0
  for (let word = words.exec(text); word; word = words.exec(text)) {
    if (!secretWord.test(word[0])) continue
    const end = endOf(assignment, text, words.lastIndex)
    const valueEnd = end === undefined ? undefined : endOf(assigned, text, end)
    if (valueEnd === undefined) continue
    kept += text.slice(from, end) + blank
    words.lastIndex = from = valueEnd
  }
  return kept + text.slice(from)
}

/** End of a match that begins at this position. */
function endOf(sticky: RegExp, text: string, place: number): number | undefined {
  sticky.lastIndex = place
  return sticky.test(text) ? sticky.lastIndex : undefined
}

/** A JSON web token: three parts separated by points, the first of which is a Base64-encoded object. */
function withoutWebToken(run: string): string {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.split('.', 3).length === 3 ? run.slice(0, start) + blank : run
}

/** Longest text in the file, in characters: one text is one step. */
const longest = 64 * 1024

/** Longest secret that is recognised by its form alone. */
const longestRun = 4096

/**
 * Removes all secrets from a value: the known ones, and anything that looks like one by its name or form. Blanks too
 * much rather than too little. Yields after each text, so that it can run in slices; truncates texts of more than 65
 * 536 characters.
 */
export function* withoutSecrets(value: unknown, known: readonly string[]): Generator<undefined, unknown> {
  const forms = formsOf(...known)
  // A secret that is cut in two is no longer recognised: leave out what may be the beginning of one.
  const margin = longestRun + 3 * (forms[0]?.length ?? 0)

  function cleanText(text: string): string {
    const isLong = text.length > longest + margin
    const cleaned = withoutSecretTexts(blankedIn(isLong ? text.slice(0, longest + margin) : text, forms))
    return isLong
      ? `${cleaned.slice(0, Math.max(0, Math.min(longest, cleaned.length - margin)))}… (${text.length})`
      : cleaned
  }

  function* clean(part: unknown): Generator<undefined, unknown> {
    if (typeof part === 'string') {
      yield
      return cleanText(part)
    }
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) {
      const cleaned: unknown[] = []
      for (const one of part) cleaned.push(yield* clean(one))
      return cleaned
    }
    const record = part as Record<string, unknown>
    const cleaned: [string, unknown][] = []
    for (const [key, inner] of Object.entries(record))
      cleaned.push([cleanText(key), isSecret(record, key) ? hide(inner) : yield* clean(inner)])
    return Object.fromEntries(cleaned)
  }

  return yield* clean(value)
}

/** Whether a property is secret by its name, or by the name that the record gives to its value. */
function isSecret(record: Record<string, unknown>, key: string): boolean {
  if (secretName.test(key)) return true
  const { name } = record
  return ['value', 'default', 'min', 'max'].includes(key) && typeof name === 'string' && secretName.test(name)
}

/** A boolean reveals nothing. */
const hide = (value: unknown): unknown =>
  typeof value === 'boolean' || value === null || value === undefined ? value : blank

/** The stored secrets of all running nodes, of any package, and the logins in device addresses. */
export function knownSecrets(RED: NodeAPI): string[] {
  const found: string[] = []
  RED.nodes.eachNode(({ id }) => {
    const node = RED.nodes.getNode(id) as { credentials?: object } | null | undefined
    for (const value of Object.values(node?.credentials ?? {}))
      if (typeof value === 'string') found.push(value)
  })
  for (const node of deployedDevices(RED).values()) {
    const resolved = (field: string, text: string) => resolvedText(RED, node, field, text)
    for (const [field, value] of Object.entries(node.credentials)) {
      const variables = value.match(/\$\{[^{}]*\}/g) ?? []
      found.push(...[value, ...variables].map((text) => resolved(field, text)))
    }
    const { login } = typedAddress(resolved('address', node.fields.address))
    found.push(...login.split(':').flatMap((part) => [part, decoded(part)]))
  }
  return found
}

/** The text with its environment variables resolved, where they exist. */
function resolvedText(RED: NodeAPI, node: DeviceConfigNode, field: string, text: string): string {
  try {
    return environmentText(RED, node, field, text)
  } catch {
    return text
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
