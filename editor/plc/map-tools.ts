import type { MapLine } from '../../lib/plc/data/map'
import type { EditedMap } from '../../nodes/plc-handshake/edit-map'
import type { Translator } from './translator'

/** Names that are listed of the lines that differ. */
const mostNames = 8

interface MapActions {
  add: (line: MapLine) => void
  reset: () => void
  /** @param json the map as it was stored before */
  undo: (json: string) => void
}

/** The line above the table: what differs from the handshake, a line to add, all as the handshake has it, and undo. */
export function mapTools(told: Translator, { add, reset, undo }: MapActions) {
  const before: string[] = []
  const differs = $('<div class="vision-hint" role="status">')
  const choice = $('<select>').attr('aria-label', told('add'))
  const button = (key: string, icon: string, pressed: () => void) =>
    $('<button type="button" class="red-ui-button red-ui-button-small">')
      .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`), ' ', $('<span>').text(told(key)))
      .on('click', pressed)
  const back = button('undo', 'undo', () => {
    const json = before.pop()
    if (json !== undefined) undo(json)
    back.prop('disabled', before.length === 0)
  }).prop('disabled', true)
  const all = button('resetAll', 'refresh', reset)
  let offers: MapLine[] = []
  choice.on('change', () => {
    const line = offers[Number(choice.val())]
    if (line) add(line)
  })
  const element = $('<div>').append($('<div class="vision-plc-tools">').append(choice, all, back), differs)
  return {
    element,
    /** Remembers the map as it was stored before a change. */
    before: (json: string) => {
      before.push(json)
      back.prop('disabled', false)
    },
    show: (map: EditedMap) => {
      const { missing, more, lines } = map
      offers = [...missing, ...more].map(({ line }) => line)
      const option = ({ name }: { name: string }, index: number) => $('<option>').val(index).text(name)
      choice.empty().append($('<option value="">').text(told('add')))
      if (missing.length)
        choice.append($('<optgroup>').attr('label', told('missing')).append(missing.map(option)))
      choice.append(
        $('<optgroup>')
          .attr('label', told('more'))
          .append(more.map((each, index) => option(each, index + missing.length))),
      )
      const names = [...lines.filter(({ isChanged }) => isChanged), ...missing].map(({ name }) => name)
      const shown = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ' …' : '')
      const sentence = names.length ? told('differs', { names: shown }) : told('asFamily')
      if (differs.text() !== sentence) differs.text(sentence)
      all.prop('disabled', names.length === 0)
    },
  }
}
