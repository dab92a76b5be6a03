import { blank } from '../../../lib/client/secrets'

/** Names of what is secret: of a property, of a parameter. */
export const secretName =
  /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|private|dongle|(?:api|access|licen[cs]e)[-_ ]?key|kennwort/i

/** Words before what is secret in a line of a log. */
const secretWord = /pass(?:word|wd|phrase|code)?|pwd|secret|token|credential|hash|key|kennwort/i
/** What stands between such a word and its value. */
const assignment = /["']?\s*(?:[:=]|(?:is|was|ist|war)\b)\s*/y
const assigned = /"[^"]*"|'[^']*'|[^\s,;&}]+/y

/** Characters of a run that only a key or a hash is as long as. */
const longRun = 40

/** What looks secret in a text, whatever says it. Each looks at every character a bounded number of times. */
const expressions: readonly [RegExp, string][] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(?:-----END [^-]*-----|$)/g, blank],
  // User info of an address.
  [/\/\/[^\s/?#"']*@/g, `//${blank}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${blank}`],
  [
    /\b(pass(?:word|wd|phrase|code)|secret|token|kennwort)(\s+)(?!\*{3}|(?:is|was|ist|war)\b)[^\s,;:=]+/gi,
    `$1$2${blank}`,
  ],
  // Hashes, and keys in groups such as those of licences.
  [/\b[0-9a-f]{32,}\b/gi, blank],
  [/\b[A-Z0-9]{4,8}(?:-[A-Z0-9]{4,8}){2,}\b/g, blank],
]

/** A text without whatever looks secret in it. Takes time in proportion to its length, whatever it holds. */
export function withoutSecretTexts(text: string): string {
  const rest = expressions.reduce((part, [pattern, instead]) => part.replace(pattern, instead), text)
  return withoutAssigned(rest)
    .replace(/[\w.-]+/g, withoutWebToken)
    .replace(/[A-Za-z0-9+/]+/g, (run) => (run.length < longRun ? run : blank))
}

/** Blanks the value behind each word that names a secret: `password: x`, `"api_key" = "x"`, `the token is x`. */
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

/** Where a match that begins at this place ends. */
function endOf(sticky: RegExp, text: string, place: number): number | undefined {
  sticky.lastIndex = place
  return sticky.test(text) ? sticky.lastIndex : undefined
}

/** A JSON web token: three parts with points between them, the first of which is an object in Base64. */
function withoutWebToken(run: string): string {
  const start = run.indexOf('eyJ')
  return start >= 0 && run.split('.', 3).length === 3 ? run.slice(0, start) + blank : run
}
