/** Removes secrets from the diagnostics: those that are stored, and whatever looks like one. */
import type { NodeAPI } from 'node-red'
import { blank, blankedIn, formsOf } from '../../../lib/client/secrets'
import { typedAddress } from '../../../lib/contract/reading/address'
import { environmentText } from '../../shared/read-fields'
import { deployedDevices, type DeviceConfigNode } from '../deployed-device'

const secretName =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|private|dongle|(?:api|access|licen[cs]e)[-_ ]?key|kennwort/i

const secretWord = /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|key|kennwort/i

/** Between such a word and its value. */
const assignment = /["']?\s*(?:[:=]|(?:is|was|ist|war)\b)\s*/y

const assigned = /"[^"]*"|'[^']*'|[^\s,;&}]+/y

/** Only keys and hashes are runs of this length. */
const longRun = 40

/** Linear: each looks at every character a bounded number of times. */
const expressions: readonly [RegExp, string][] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(?:-----END [^-]*-----|$)/g, blank],
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

/** Linear in the length of the text. */
export function withoutSecretTexts(text: string): string {
  const rest = expressions.reduce((part, [pattern, instead]) => part.replace(pattern, instead), text)
  return withoutAssigned(rest)
    .replace(/[\w.-]+/g, withoutWebToken)
    .replace(/[A-Za-z0-9+/]+/g, (run) => (run.length < longRun ? run : blank))
}

/** Blanks values after secret words: `password: x`, `"api_key" = "x"`, `the token is x`. */
function withoutAssigned(text: string): string {
  const words = /[\w-]+/g
  let result = ''
  let from = 0
  for (let word = words.exec(text); word; word = words.exec(text)) {
    if (!secretWord.test(word[0])) continue
    const end = endOf(assignment, text, words.lastIndex)
    const valueEnd = end === undefined ? undefined : endOf(assigned, text, end)
    if (valueEnd === undefined) continue
    result += text.slice(from, end) + blank
    words.lastIndex = from = valueEnd
  }
  return result + text.slice(from)
}

function endOf(sticky: RegExp, text: string, place: number): number | undefined {
  sticky.lastIndex = place
  return sticky.test(text) ? sticky.lastIndex : undefined
}

/** Three parts separated by points, the first a Base64-encoded object. */
function withoutWebToken(run: string): string {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.split('.', 3).length === 3 ? run.slice(0, start) + blank : run
}

/** Longest text in characters; one text is one step. */
const longest = 64 * 1024

/** Longest secret recognised by its form alone. */
const longestRun = 4096

/**
 * Removes known secrets and whatever looks like one by name or form: too much rather than too little. Yields after each
 * text; truncates texts of more than 65 536 characters.
 */
export function* withoutSecrets(value: unknown, known: readonly string[]): Generator<undefined, unknown> {
  const forms = formsOf(...known)
  // A truncated secret is not recognised: omit what may be the beginning of one.
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

/** By its name, or by the name that the record gives to its value. */
function isSecret(record: Record<string, unknown>, key: string): boolean {
  if (secretName.test(key)) return true
  const { name } = record
  return ['value', 'default', 'min', 'max'].includes(key) && typeof name === 'string' && secretName.test(name)
}

const hide = (value: unknown): unknown =>
  typeof value === 'boolean' || value === null || value === undefined ? value : blank

/** Stored secrets of all nodes of any package, and logins in device addresses. */
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
