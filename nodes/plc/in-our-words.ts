import { PlcError } from '../../lib/plc/plc-error'
import { spoken } from '../shared/node-error'

/** An error of the connection to a PLC in the language of this Node-RED; any other as it is. */
export function inOurWords(error: unknown): unknown {
  if (!(error instanceof PlcError)) return error
  error.message = error.inLanguage(spoken())
  return error
}
