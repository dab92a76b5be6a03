import { panelOrders } from '../hand-eye-calibration/drive/panel'
import { sentencesOf } from '../sentences'

const { say } = sentencesOf('operator-calibration')

/** How sentences of the calibration name a command, before its word; and what a page says instead. */
const verbs: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: { Send: 'Press', send: 'press' },
  de: { 'Senden Sie': 'Drücken Sie', 'senden Sie': 'drücken Sie', mit: 'mit', Mit: 'Mit' },
}
const quotes = { en: ['“', '”'], de: ['„', '“'] } as const

/**
 * A sentence for a page with buttons: "send start" is "press “Start”" there. Commands without a button stay as they are.
 * @param language in which it is said; others than German are English
 */
export function pressed(sentence: string, language = 'en-US'): string {
  const spoken = language.startsWith('de') ? 'de' : 'en'
  const [open, close] = quotes[spoken]
  let said = sentence
  for (const [verb, instead] of Object.entries(verbs[spoken]))
    for (const order of panelOrders)
      said = said.replaceAll(`${verb} ${order}`, `${instead} ${open}${say(`order-${order}`)}${close}`)
  return said
}
