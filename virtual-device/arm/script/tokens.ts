import { ScriptError } from './script-error'

export interface Token {
  kind: 'number' | 'string' | 'name' | 'symbol' | 'newline' | 'end'
  text: string
  line: number
  column: number
}

const space = /[ \t\r]+|#[^\n]*/y
const patterns = [
  ['newline', /\n/y],
  ['number', /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['name', /[A-Za-z_]\w*/y],
  ['string', /"[^"\n]*"/y],
  ['symbol', /==|!=|<=|>=|[-+*/%()[\],:=<>.]/y],
] as const

/** @throws ScriptError at a character that belongs to nothing */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let [at, line, lineStart] = [0, 1, 0]
  while (at < text.length) {
    space.lastIndex = at
    const skipped = space.exec(text)?.[0]
    if (skipped) {
      at += skipped.length
      continue
    }
    const column = at - lineStart + 1
    const found = matched(text, at)
    if (!found) throw new ScriptError(`syntax_error_on_line:${line}:${text.slice(at, at + 20)}`, line, column)
    tokens.push({ ...found, line, column })
    at += found.text.length
    if (found.kind === 'newline') {
      line++
      lineStart = at
    }
  }
  const place = { line, column: at - lineStart + 1 }
  return [...tokens, { kind: 'newline', text: '\n', ...place }, { kind: 'end', text: '', ...place }]
}

function matched(text: string, at: number): Pick<Token, 'kind' | 'text'> | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) return { kind, text: found[0] }
  }
  return undefined
}
