import { sentencesIn } from '../../sentences/sentences-in'
import { plcErrorsOf } from '../plc-error'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

/** An error of the connection to a PLC by messages of other nodes. */
export const messagesError = plcErrorsOf(sentencesIn<typeof en, typeof de>(__dirname))
