const blank = '***'
/** Blanking still less would leave no word whole. */
const shortest = 3

/** Names of what is secret, of a property, of a parameter or in a log line. */
const secretName =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|private|dongle|(?:api|access|licen[cs]e)[-_ ]?key|kennwort/i

/** What looks secret inside a text, whatever says it. */
const secretTexts: readonly [RegExp, string][] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(?:-----END [^-]*-----|$)/g, blank],
  // User info of an address.
  [/\/\/[^\s/?#"']*@/g, `//${blank}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${blank}`],
  [
    /([\w-]*(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|key|kennwort)[\w-]*["']?\s*(?:[:=]|\b(?:is|was|ist|war)\b)\s*)("[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    `$1${blank}`,
  ],
  [
    /\b(pass(?:word|wd|phrase|code)|secret|token|kennwort)(\s+)(?!\*{3}|(?:is|was|ist|war)\b)[^\s,;:=]+/gi,
    `$1$2${blank}`,
  ],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, blank],
  // Hashes, and keys in groups such as those of licences.
  [/\b[0-9a-f]{32,}\b/gi, blank],
  [/\b[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,}\b/g, blank],
  [/[A-Za-z0-9+/]{40,}={0,2}/g, blank],
]

/**
 * A value with nothing secret in it: without the known secrets, and without whatever looks like one by its name or its
 * form. Rather too much is blanked than too little.
 */
export function withoutSecrets<Value>(value: Value, known: readonly string[]): Value {
  // The longest first: one may be a part of another.
  const secrets = [...new Set(known.filter(({ length }) => length >= shortest).flatMap(forms))].sort(
    (a, b) => b.length - a.length,
  )

  function clean(part: unknown): unknown {
    if (typeof part === 'string') return cleanText(part)
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    const record = part as Record<string, unknown>
    return Object.fromEntries(
      Object.entries(record).map(([key, inner]) => [
        cleanText(key),
        isSecret(record, key) ? hide(inner) : clean(inner),
      ]),
    )
  }

  function cleanText(text: string): string {
    const withoutKnown = secrets.reduce((rest, secret) => rest.replaceAll(secret, blank), text)
    return secretTexts.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), withoutKnown)
  }

  return clean(value) as Value
}

/** Whether a property is secret by its name, or by the name that the record gives to its value. */
function isSecret(record: Record<string, unknown>, key: string): boolean {
  if (secretName.test(key)) return true
  const { name } = record
  return ['value', 'default', 'min', 'max'].includes(key) && typeof name === 'string' && secretName.test(name)
}

/** A switch tells no secret. */
const hide = (value: unknown): unknown =>
  typeof value === 'boolean' || value === null || value === undefined ? value : blank

/** A secret in the forms it travels in. */
const forms = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
]
