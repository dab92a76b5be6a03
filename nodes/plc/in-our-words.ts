import { VisionError } from '../../lib/client/vision-error'
import { PlcError } from '../../lib/plc/plc-error'
import { spoken } from '../shared/node-error'
import { invalidInput } from './sentences'

/** An error of the connection to a PLC in the language of this Node-RED; any other as it is. */
export function inOurWords(error: unknown): unknown {
  if (!(error instanceof PlcError)) return error
  error.message = error.inLanguage(spoken())
  return error
}

/** An error about a map or its values as the routes of the editor answer it. */
export const inVisionWords = (error: unknown, language: string | undefined): unknown =>
  error instanceof PlcError && !(error instanceof VisionError)
    ? invalidInput('plc-map-fault', { problem: error.inLanguage(language) })
    : error
