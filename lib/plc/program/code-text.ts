import { defaultCodes, type CodeName, type CodeTable } from '../codes'
import { programText } from './program-texts'

/** What a code tells the electrician; a code of the user's own is its name. */
export function codeText(code: number, codes: CodeTable, language?: string): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name === undefined) return programText('device-code', {}, language)
  return Object.hasOwn(defaultCodes, name) ? programText(`code-${name as CodeName}`, {}, language) : name
}
