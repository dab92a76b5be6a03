import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import { stored, type Dialog } from '../dialog'
import { isNotDeployed, problemIn, request } from '../request'
import { whileVisible } from '../while-visible'
import { byHand } from './by-hand'
import { panelFacts } from './facts'
import { lampColumns } from './lamps'
import { phaseText } from './phase-text'
import { panelTimes } from './times'
import type { Translator } from './translator'

/** Milliseconds from one answer to the next request. */
const pause = 500

/** Shows the deployed handshake of a dialog as it is now, while the dialog is visible, and triggers by hand. */
export function plcPanel({ node, form }: Dialog, told: Translator): void {
  const state = $('<span class="vision-plc-state">')
  const facts = $('<div>')
  const lamps = $('<div class="vision-plc-lamps">')
  const times = $('<div class="vision-plc-times">')
  const problem = $('<div class="vision-hint" role="status">')
  const hand = byHand(told, async () => {
    show((await request('POST', `${at}/trigger`, {})) as HandshakeSnapshot)
  })
  const details = $('<details class="vision-plc-panel">')
    .append($('<summary>').append($('<span>').text(told('title')), ' ', state))
    .append(problem, facts, lamps, times, hand.element)
  const [element] = details.get()
  const at = `vision-devices/plc/${encodeURIComponent(node.id)}`
  const first = form.children('details').first()
  if (first.length) details.insertBefore(first)
  else details.appendTo(form)
  details.on('toggle', () => RED.tray.resize())
  let isAsking = false
  let askedAt = -Infinity
  if (element) whileVisible(element, () => void look())

  async function look(): Promise<void> {
    if (isAsking || performance.now() < askedAt + pause) return
    isAsking = true
    try {
      show((await request('GET', at)) as HandshakeSnapshot)
    } catch (error) {
      fail(error)
    } finally {
      isAsking = false
      askedAt = performance.now()
    }
  }

  function show(snapshot: HandshakeSnapshot): void {
    say(stored(node, 'changed') ? told('changed') : '')
    state.text(phaseText(snapshot)).attr('data-phase', snapshot.phase)
    facts.empty().append(panelFacts(snapshot, told))
    lamps.empty().append(lampColumns(snapshot, told))
    times.empty().append(panelTimes(snapshot, told))
    hand.show(snapshot.manual)
  }

  function fail(error: unknown): void {
    const found = problemIn(error)
    const isMissing = found !== undefined && isNotDeployed(found)
    state.text(isMissing ? told('notDeployed') : '').removeAttr('data-phase')
    say(found?.message ?? '')
    for (const part of [facts, lamps, times]) part.empty()
    hand.show(undefined)
  }

  /** Says it once: a live region that is written again is read aloud again. */
  function say(text: string): void {
    if (problem.text() !== text) problem.text(text)
  }
}
