import { defaultCodes, type CodeName, type CodeTable } from '../../lib/plc/codes'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-panel')

/** Return code of a service that is not possible in the present state of the device. */
const notNow = -8

const isKnown = (name: string): name is CodeName => Object.hasOwn(defaultCodes, name)

/** Why a cycle ended with that code, and what a person at the cell does about it. */
export function causeOf(code: number, codes: CodeTable): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name !== undefined && isKnown(name)) return say(`cause-${name}`)
  if (code === notNow) return say('cause-not-now')
  return code < 0 ? say('cause-refused') : say('cause-own', { name: name ?? code })
}

/** The same, where the reason follows with what to do. */
export function briefCauseOf(code: number, codes: CodeTable): string {
  if (code === codes.UNREACHABLE) return say('cause-brief-UNREACHABLE')
  return code < 0 && code !== notNow ? say('cause-brief-refused') : causeOf(code, codes)
}

/** Whether it is one of the codes that every handshake has. */
export const isKnownCode = (code: number, codes: CodeTable): boolean =>
  Object.keys(codes).some((name) => codes[name] === code && isKnown(name))
