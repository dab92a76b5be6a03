import { defaultCodes, type CodeName, type CodeTable } from '../../lib/plc/codes'
import { say } from './sentences'

/** Return code of a service that is not possible in the present state of the device. */
const notNow = -8

const isKnown = (name: string): name is CodeName => Object.hasOwn(defaultCodes, name)

/** What a result code means, in a few words for people. */
export function meaningOf(code: number, codes: CodeTable = defaultCodes): string {
  if (code === notNow) return say('plc-meaning-present-state')
  if (code < 0) return say('plc-meaning-refused')
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name === undefined) return say('plc-meaning-own')
  return isKnown(name) ? say(`plc-meaning-${name}`) : name
}
