export { decodeUbjson, ubjsonSteps, type DecodeOptions, UbjsonError } from './decode'
export { encodeUbjson } from './encode'
