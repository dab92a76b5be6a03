import { propertiesOf } from './message'

/**
 * What a Status node says of the reader: its text where the node is red, '' where it is not.
 * @returns undefined where the message is of no Status node
 */
export function faultInStatus(message: object): string | undefined {
  const { status } = propertiesOf(message)
  const { fill, text, source } = propertiesOf(status)
  if (source === undefined) return undefined
  if (fill !== 'red') return ''
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : '–'
}
