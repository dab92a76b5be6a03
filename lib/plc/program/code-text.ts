import { defaultCodes, isReturnCode, type CodeName, type CodeTable } from '../codes'
import { programText } from './program-texts'

/** What a code tells the electrician. */
export function codeText(code: number, codes: CodeTable, language?: string): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  return name === undefined ? programText('device-code', {}, language) : codeNameText(name, language)
}

/** What the line of that name in a table of codes means; a code of the user's own is its name. */
export function codeNameText(name: string, language?: string): string {
  if (Object.hasOwn(defaultCodes, name)) return programText(`code-${name as CodeName}`, {}, language)
  return isReturnCode(name) ? programText('return-code', { value: name }, language) : name
}
