import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import { problemIn } from '../request'
import { lampList } from './lamps'
import type { Translator } from './translator'
import { timeText } from './phase-text'

type Manual = HandshakeSnapshot['manual']

/**
 * The button that triggers a cycle after a question, and how the last one ended.
 * @param trigger rejects with the reason where it is refused
 */
export function byHand(told: Translator, trigger: () => Promise<void>) {
  const button = $('<button type="button" class="red-ui-button">').text(told('hand.trigger')).on('click', ask)
  const hint = $('<span class="vision-unit">')
  const place = $('<div>')
  const result = $('<div class="vision-plc-result">')
  const outcome = $('<div role="status">')
  const results = $('<div class="vision-plc-lamps">')
  const element = $('<div class="vision-plc-hand">').append(
    $('<div class="vision-plc-hand-row">').append(button, ' ', hint),
    place,
    result.append(outcome, results),
  )
  let refusal = ''
  return { element, show }

  function ask(): void {
    const question = told('hand.question')
    const yes = $('<button type="button" class="red-ui-button">')
      .text(told('hand.yes'))
      .on('click', () => void confirmed())
    const no = $('<button type="button" class="red-ui-button">').text(told('hand.no')).on('click', cancel)
    const box = $('<div class="vision-try-question" role="group">').attr('aria-label', question)
    box.on('keydown', (event) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      cancel()
    })
    place.empty().append(box.append($('<p>').text(question), yes, ' ', no))
    no.trigger('focus')
    RED.tray.resize()
  }

  function cancel(): void {
    place.empty()
    button.trigger('focus')
    RED.tray.resize()
  }

  async function confirmed(): Promise<void> {
    cancel()
    refusal = ''
    try {
      await trigger()
    } catch (error) {
      refusal = problemIn(error)?.message ?? ''
      say(refusal)
    }
  }

  /** @param manual undefined while nothing is deployed */
  function show(manual: Manual | undefined): void {
    element.prop('hidden', manual === undefined)
    if (!manual) {
      place.empty()
      return
    }
    button.prop('disabled', manual.may !== 'yes')
    if (manual.may !== 'yes' && place.children().length) place.empty()
    hint.text(manual.may === 'yes' ? '' : told(`hand.${manual.may}`))
    const { last } = manual
    results.empty()
    if (refusal || !last) return
    say(outcomeText(last))
    if (last.results) results.append(lampList(last.results, told))
  }

  function outcomeText({ state, code, duration = 0 }: NonNullable<Manual['last']>): string {
    if (state === 'running') return told('hand.running')
    return told(`hand.${state}`, {
      code: code?.value ?? '',
      text: code?.text ?? '',
      time: timeText(duration),
    })
  }

  /** Says it once: a live region that is written again is read aloud again. */
  function say(text: string): void {
    if (outcome.text() !== text) outcome.text(text)
  }
}
