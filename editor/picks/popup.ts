import type { Offer } from './offers'

/** The list below a field. It never takes the focus, which stays in the field. */
export interface Popup {
  /** The id of the list. */
  id: string
  /** Shows the offers; `marked` are those in the field, `current` is highlighted. */
  show: (offers: readonly Offer[], marked: readonly string[], current?: string) => void
  /** Shows the reason why there is nothing instead. */
  say: (text: string) => void
  move: (step: 1 | -1) => void
  /** The name of the highlighted entry, `undefined` for none, and `again` for the last one. */
  current: () => string | undefined
  remove: () => void
}

/** Stands for the entry that asks the device again: no name can be empty. */
export const again = ''

interface PopupOptions {
  /** Accessible name of the list. */
  label: string
  againText: string
  isSeveral: boolean
  chosen: (name: string) => void
}

let count = 0

export function openPopup(field: HTMLElement, { label, againText, isSeveral, chosen }: PopupOptions): Popup {
  const id = `vision-picks-${++count}`
  const list = $('<ul role="listbox">').attr({
    id,
    'aria-label': label,
    'aria-multiselectable': isSeveral ? 'true' : null,
  })
  const note = $('<div class="vision-pick-note" role="status">')
  const box = $('<div class="vision-picks">').append(note, list).appendTo('body')
  let entries: { name: string; element: HTMLElement }[] = []
  let at = -1

  // The field keeps the focus while the list is clicked.
  box.on('mousedown', (event) => event.preventDefault())
  place()

  function place() {
    const anchor = field.closest('.red-ui-typedInput-container') ?? field
    const { left, top, bottom, width } = anchor.getBoundingClientRect()
    const below = window.innerHeight - bottom
    const isAbove = below < 220 && top > below
    box.css({
      left,
      minWidth: width,
      maxHeight: Math.min(360, (isAbove ? top : below) - 12),
      ...(isAbove ? { bottom: window.innerHeight - top + 2 } : { top: bottom + 2 }),
    })
  }

  function entry(name: string, content: JQuery[]): HTMLElement {
    const element = $('<li role="option">')
      .attr({ id: `${id}-${entries.length}`, 'aria-selected': 'false' })
      .append(content)
      .on('click', () => chosen(name))
      .appendTo(list)[0]
    if (!element) throw new Error('no list')
    entries.push({ name, element })
    return element
  }

  function highlight(index: number) {
    entries[at]?.element.classList.remove('vision-pick-current')
    at = index
    const element = entries[at]?.element
    element?.classList.add('vision-pick-current')
    element?.scrollIntoView({ block: 'nearest' })
    if (element) field.setAttribute('aria-activedescendant', element.id)
    else field.removeAttribute('aria-activedescendant')
  }

  function fill(offers: readonly Offer[], marked: readonly string[], current?: string) {
    list.empty()
    entries = []
    at = -1
    for (const { name, about, description } of offers) {
      const element = entry(name, [
        $('<span class="vision-pick-name">').text(name),
        $('<span class="vision-pick-about">').text(about),
        ...(description ? [$('<span class="vision-pick-description">').text(description)] : []),
      ])
      if (marked.includes(name)) element.setAttribute('aria-selected', 'true')
    }
    entry(again, [
      $('<i class="fa fa-refresh" aria-hidden="true">'),
      $('<span>').text(` ${againText}`),
    ]).classList.add('vision-pick-again')
    highlight(
      entries.findIndex(({ name }) => name !== again && (current ? name === current : marked.includes(name))),
    )
  }

  return {
    id,
    show: (offers, marked, current) => {
      note.text('')
      fill(offers, marked, current)
    },
    say: (text) => {
      fill([], [])
      note.text(text)
    },
    move: (step) => {
      const first = step === 1 ? 0 : entries.length - 1
      highlight(at < 0 ? first : (at + step + entries.length) % entries.length)
    },
    current: () => entries[at]?.name,
    remove: () => {
      box.remove()
      field.removeAttribute('aria-activedescendant')
    },
  }
}
