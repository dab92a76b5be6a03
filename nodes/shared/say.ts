import { sentence, type SentenceKey } from '../../lib/client/sentences'
import { spoken } from './node-error'

/** A sentence in the language of this Node-RED. */
export const say = (key: SentenceKey, values: Record<string, unknown> = {}): string =>
  sentence(key, values, spoken())
