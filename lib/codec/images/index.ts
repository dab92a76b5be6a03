export { decodeImageEvent, decodeImageSet } from './decode'
export { encodeImageSetRequest, imageEventsRequest } from './encode'
export { ProtobufError } from '../streams/error'
export type * from './messages'
