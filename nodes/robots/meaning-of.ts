import { interfaceCodeName } from '../../lib/robot-interface'
import { robotCodeName } from './codes'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('robots')

/** What a code means that a robot got. @param isBinary a code of the binary interface, by its name there */
export function meaningOf(code: number, isBinary = false): string {
  if (isBinary) return interfaceCodeName(code) ?? String(code)
  const name = robotCodeName(code)
  return name ? say(`robots-code-${name}`) : say(code < 0 ? 'robots-code-device' : 'robots-code-own')
}
