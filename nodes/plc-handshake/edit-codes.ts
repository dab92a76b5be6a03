import { codeTable, defaultCodes, faultsOfCodes, type CodeName } from '../../lib/plc/codes'
import { codeNameText } from '../../lib/plc/program'
import { ownCodesIn } from './settings-of'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('plc')

/** A line of the table of result codes as the dialog edits it. */
export interface EditedCode {
  /** An `error.code`, or a return code of the device. */
  name: string
  /** What the electrician reads. */
  meaning: string
  /** As it is stored, whether or not it can be used. */
  code: unknown
  /** Without a change; missing for a line that was added. */
  original?: number
  isChanged: boolean
  fault?: string
}

/** The table of result codes of a form: all lines that there are, then those that were added. @throws INVALID_INPUT */
export function editedCodes(text: string, language?: string): EditedCode[] {
  const own = ownCodesIn(text)
  const table = codeTable(own)
  const faults = new Set(faultsOfCodes(table).map(({ name }) => name))
  const names = new Set([...Object.keys(defaultCodes), ...Object.keys(own)])
  return [...names].map((name): EditedCode => {
    const original = Object.hasOwn(defaultCodes, name) ? defaultCodes[name as CodeName] : undefined
    return {
      name,
      meaning: codeNameText(name, language),
      code: table[name],
      ...(original !== undefined && { original }),
      isChanged: table[name] !== original,
      ...(faults.has(name) && { fault: invalidInput('plc-codes', { name }).inLanguage(language) }),
    }
  })
}
