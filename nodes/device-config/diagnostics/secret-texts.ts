import { blank } from '../../../lib/client/secrets'

/** Names of secret properties and parameters. */
export const secretName =
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
