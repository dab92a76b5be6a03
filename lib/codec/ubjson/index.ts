export { decodeUbjson, ubjsonSteps, type DecodeOptions } from './decode'
export { encodeUbjson } from './encode'
export { UbjsonError } from './error'
