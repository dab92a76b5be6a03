import type { EditedCode } from '../../nodes/plc-handshake/edit-codes'
import { aroundFocus } from './around-focus'
import { entry, rowButton } from './row-controls'
import type { Translator } from './translator'

/** Codes by name that differ from the table, or are added to it. */
export type OwnCodes = Record<string, unknown>

/**
 * The table of result codes: each with its meaning and its number, and a line for another error or return code.
 * @param store takes what differs from the table
 */
export function codesTable(told: Translator, store: (own: OwnCodes) => void) {
  const body = $('<tbody>')
  const titles = ['meaning', 'name', 'code', ''].map((column) => (column ? told(`codes.${column}`) : ''))
  const head = $('<thead>').append($('<tr>').append(titles.map((title) => $('<th scope="col">').text(title))))
  const element = $('<div>').append($('<table class="vision-plc-map">').append(head, body), adding())
  let own: OwnCodes = {}
  const show = aroundFocus<readonly EditedCode[]>(body, (codes) => {
    element.toggle(codes !== undefined)
    own = Object.fromEntries(
      (codes ?? []).flatMap((each) => (each.isChanged ? [[each.name, each.code]] : [])),
    )
    body.empty().append((codes ?? []).flatMap(row))
  })
  return { element, show }

  /** Stores the code of a line; without one, the line is as in the table again, or none. */
  function put(name: string, code: unknown): void {
    const others = Object.entries(own).filter(([each]) => each !== name)
    own = Object.fromEntries(code === undefined ? others : [...others, [name, code]])
    store(own)
  }

  function row({ name, meaning, code, original, isChanged, fault }: EditedCode): JQuery[] {
    const number = entry(`${meaning}: ${told('codes.code')}`, shown(code), `${name}:code`, (text) => {
      const given = numberIn(text)
      if (given === undefined) return told('codes.badCode')
      put(name, given === original ? undefined : given)
      return undefined
    })
    const button = (icon: string, text: string) =>
      rowButton(icon, `${meaning}: ${text}`, text, `${name}:back`, () => put(name, undefined))
    const cells = [
      $('<th scope="row">').append(
        $('<span>').text(meaning),
        isChanged ? $('<em>').text(told(original === undefined ? 'added' : 'changed')) : $(),
      ),
      $('<td>').append($('<code>').text(name)),
      $('<td>').append(number),
      $('<td class="vision-plc-row-buttons">').append(
        original === undefined
          ? button('trash-o', told('remove'))
          : isChanged
            ? button('undo', `${told('codes.reset')} ${String(original)}`)
            : $(),
      ),
    ]
    const main = $('<tr>').toggleClass('vision-plc-changed', isChanged).append(cells)
    const below = fault ? [$('<tr>').append($('<td colspan="4" class="vision-reason">').text(fault))] : []
    return [main, ...below]
  }

  function adding(): JQuery {
    const input = (key: string, placeholder: string) =>
      $('<input type="text">').attr({ 'aria-label': told(`codes.${key}`), placeholder })
    const [name, code] = [input('newName', '-8'), input('newCode', '300')]
    const wrong = $('<div class="vision-reason" role="status">')
    const add = () => {
      const given = numberIn(String(code.val()))
      const newName = String(name.val()).trim()
      const isNamed = /^(?:[A-Z][A-Z0-9_]{0,39}|-?\d{1,5})$/.test(newName)
      const reason = !isNamed ? told('codes.badName') : given === undefined ? told('codes.badCode') : ''
      wrong.text(reason)
      if (reason) return
      name.val('')
      code.val('')
      put(newName, given)
    }
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .append($('<i aria-hidden="true" class="fa fa-plus">'), ' ', $('<span>').text(told('codes.add')))
      .on('click', add)
    return $('<div>').append($('<div class="vision-plc-tools">').append(name, code, button), wrong)
  }
}

const shown = (code: unknown) => (typeof code === 'number' ? String(code) : JSON.stringify(code))

/** A whole number as a person types it; whether it can be used, the runtime says. */
const numberIn = (text: string): number | undefined =>
  /^\s*[-−]?\d{1,6}\s*$/.test(text) ? Number(text.trim().replace('−', '-')) : undefined
