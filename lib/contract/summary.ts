import { operations, type OperationId } from '.'
import de from './locales/de.json'

/** The English ones are part of the operations. */
const translated: Readonly<Partial<Record<string, Readonly<Record<OperationId, string>>>>> = { de }

/** As shown in a list: `Read the system state: firmware, network, time, readiness`. */
export const summaryOf = (id: OperationId, language = 'en-US'): string =>
  translated[language.replace(/-.*/, '')]?.[id] ?? operations[id].summary

/** For use in a sentence: `read the system state`, in German `Systemzustand lesen`. */
export function shortSummaryOf(id: OperationId, language = 'en-US'): string {
  if (!Object.hasOwn(operations, id)) return id
  const [short = ''] = summaryOf(id, language).split(':', 1)
  // German ones begin with a noun, which keeps its capital.
  return /^[A-Z]/.test(short) && short === summaryOf(id).split(':', 1)[0]
    ? short.charAt(0).toLowerCase() + short.slice(1)
    : short
}
