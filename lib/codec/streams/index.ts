export { decodeMessage } from './decode'
export { encodeMessage } from './encode'
export { ProtobufError } from './error'
export type * from './messages'
