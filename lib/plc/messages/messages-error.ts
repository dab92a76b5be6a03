import { sentencesIn } from '../../kernel/sentences'
import { plcErrorsOf } from '../plc-error'
import type en from './locales/en-US/sentences.json'

/** An error of the connection to a PLC by messages of other nodes. */
export const messagesError = plcErrorsOf(sentencesIn<typeof en>(__dirname))
