import { defaultCodes, isReturnCode, type CodeName, type CodeTable } from '../../lib/plc/codes'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('plc')

/** Return code of a service that is not possible in the present state of the device. */
const notNow = -8

const isKnown = (name: string): name is CodeName => Object.hasOwn(defaultCodes, name)

/** What a result code means, in a few words for people. */
export function meaningOf(code: number, codes: CodeTable = defaultCodes): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name === undefined) return ofDevice(code) ?? say('plc-meaning-own')
  if (isKnown(name)) return say(`plc-meaning-${name}`)
  return (isReturnCode(name) && ofDevice(Number(name))) || name
}

/** Of a code that the device refuses with. */
function ofDevice(code: number): string | undefined {
  if (code === notNow) return say('plc-meaning-present-state')
  return code < 0 ? say('plc-meaning-refused') : undefined
}
