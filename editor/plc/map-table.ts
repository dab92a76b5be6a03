import type { EditedMap } from '../../nodes/plc-handshake/edit-map'
import type { Translator } from './translator'
import { aroundFocus } from './around-focus'
import type { Change } from './edited-row'
import { mapRow } from './map-row'

/** The lines of a map, each with its controls, its bytes and its faults. */
export function mapTable(told: Translator, change: Change, { remove }: { remove: (place: number) => void }) {
  const head = $('<thead>')
  const body = $('<tbody>')
  const element = $('<table class="vision-plc-map">').append(head, body)
  /** Keys of the lines whose further settings are open. */
  const open = new Set<string>()
  const show = aroundFocus<EditedMap>(body, draw)
  return { element, show }

  function draw(map: EditedMap | undefined): void {
    element.toggle(map !== undefined)
    if (!map) {
      body.empty()
      return
    }
    const { by, offset } = map
    const address = by === 'name' ? told('columns.name') : told('columns.address')
    const titles = [
      told('columns.meaning'),
      offset > 0 && by === 'address' ? `${address} + ${String(offset)}` : address,
      told('columns.type'),
      told('columns.unit'),
      told('columns.bytes'),
      '',
    ]
    head.empty().append($('<tr>').append(titles.map((title) => $('<th scope="col">').text(title))))
    const rows = map.lines.flatMap((line, place) =>
      mapRow(told, { line, place, by }, { change, remove, open, redraw: () => show(map) }),
    )
    body.empty().append(rows)
  }
}
