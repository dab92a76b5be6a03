export { decodeMessage } from './decode'
export { encodeMessage } from './encode'
export { ProtobufError } from './wire'
export type * from './messages'
