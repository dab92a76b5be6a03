export { s7Error } from './failures'
export { s7Protocol, type S7Options, type S7Request, tsapOf, tsapText } from './protocol'
export { identityOf, type S7Identity } from './identity'
export { startS7Server, type S7Faults, type S7Server, type S7ServerOptions } from './server'
