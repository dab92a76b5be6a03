import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import { stored, type Dialog } from '../dialog'
import { livePanel } from '../live-panel'
import { request } from '../request'
import { byHand } from './by-hand'
import { panelFacts } from './facts'
import { lampColumns } from './lamps'
import { phaseText } from './phase-text'
import { panelTimes } from './times'
import type { Translator } from './translator'

/** Milliseconds from one answer to the next request. */
const pause = 500

/** Shows the deployed handshake of a dialog as it is now, while the dialog is visible, and triggers by hand. */
export function plcPanel(dialog: Dialog, told: Translator): void {
  const { node } = dialog
  const facts = $('<div>')
  const lamps = $('<div class="vision-plc-lamps">')
  const times = $('<div class="vision-plc-times">')
  const at = `vision-devices/plc/${encodeURIComponent(node.id)}`
  const hand = byHand(told, async () => {
    show((await request('POST', `${at}/trigger`, {})) as HandshakeSnapshot)
  })
  const { state, say } = livePanel<HandshakeSnapshot>(dialog, told, {
    ...{ pause, show, clear, parts: [facts, lamps, times, hand.element] },
    ask: async () => (await request('GET', at)) as HandshakeSnapshot,
  })

  function show(snapshot: HandshakeSnapshot): void {
    say(stored(node, 'changed') ? told('changed') : '')
    state.text(phaseText(snapshot)).attr('data-phase', snapshot.phase)
    facts.empty().append(panelFacts(snapshot, told))
    lamps.empty().append(lampColumns(snapshot, told))
    times.empty().append(panelTimes(snapshot, told))
    hand.show(snapshot.manual)
  }

  function clear(): void {
    state.removeAttr('data-phase')
    for (const part of [facts, lamps, times]) part.empty()
    hand.show(undefined)
  }
}
