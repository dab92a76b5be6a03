import type { RequestReader } from './reader'
import { textReader } from './text-reader'
import { xmlReader } from './xml-reader'

export const requestReader = (kind: 'text' | 'xml'): RequestReader =>
  kind === 'xml' ? xmlReader() : textReader()

export { longestRequest, type RawRequest, type RequestReader } from './reader'
export { requestOf, type RobotRequest, type UnreadableRequest } from './request'
