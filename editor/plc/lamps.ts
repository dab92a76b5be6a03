import type { HandshakeSnapshot } from '../../nodes/plc/handshake-snapshot'
import type { Lamp } from '../../nodes/plc/lamps'
import type { Translator } from './translator'

/** The words of both sides beside each other: a bit is a lamp, everything else a value. */
export function lampColumns({ plc, cell }: HandshakeSnapshot, told: Translator): JQuery[] {
  if (!plc.length && !cell.length) return []
  return [column(told('plc'), plc, told), column(told('cell'), cell, told)]
}

const column = (title: string, lamps: readonly Lamp[], told: Translator): JQuery =>
  $('<section>').append($('<h4>').text(title), lampList([...lamps].sort(bitsFirst), told))

const bitsFirst = (one: Lamp, other: Lamp) =>
  Number(typeof other.value === 'boolean') - Number(typeof one.value === 'boolean')

export const lampList = (lamps: readonly Lamp[], told: Translator): JQuery =>
  $('<ul>').append(
    lamps.map((each) => $('<li>').append(typeof each.value === 'boolean' ? lamp(each, told) : value(each))),
  )

function lamp({ name, value }: Lamp, told: Translator): JQuery[] {
  const isOn = value === true
  const light = $('<span class="vision-lamp" role="img">')
    .attr({ 'data-on': String(isOn), 'aria-label': told(isOn ? 'on' : 'off') })
    .append($('<i aria-hidden="true">').addClass(`fa fa-circle${isOn ? '' : '-o'}`))
  return [light, $('<span>').text(name)]
}

function value({ name, value, unit, words }: Lamp): JQuery[] {
  const hex = words?.map((word) => word.toString(16).toUpperCase().padStart(4, '0')).join(' ')
  return [
    $('<span class="vision-lamp-value">')
      .text(unit === undefined ? String(value) : `${String(value)} ${unit}`)
      .attr('title', hex ?? null),
    $('<span>').text(name),
  ]
}
