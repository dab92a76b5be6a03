import { inBackground } from '../dialog'
import type { Offer } from './offers'

interface Combobox {
  field: HTMLInputElement
  /** For the mouse. */
  button: HTMLElement
  /** Of the list, for screen readers. */
  label: string
  texts: { asking: string; nothing: string; again: string }
  /** Rejects with the reason as message. */
  load: (fresh: boolean) => Promise<readonly Offer[]>
  isSeveral: () => boolean
  isActive: () => boolean
}

/** Typing filters the list; any text is accepted. */
export function combobox({ field, button, label, texts, load, isSeveral, isActive }: Combobox): void {
  let popup: Popup | undefined
  let offers: readonly Offer[] = []
  let turn = 0

  $(field)
    .attr({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', autocomplete: 'off' })
    .on('input', () => {
      if (isActive()) inBackground(narrow())
    })
    .on('blur', close)
    .on('keydown', (event) => {
      if (isActive() && pressed(event.key, event.altKey)) {
        event.preventDefault()
        event.stopPropagation()
      }
    })
  $(button)
    .on('mousedown', (event) => event.preventDefault())
    .on('click', () => {
      const wasOpen = popup !== undefined
      field.focus()
      if (wasOpen) close()
      else inBackground(open())
    })

  /** Whether the key was handled. */
  function pressed(key: string, alt: boolean): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!popup) inBackground(open())
      else if (alt) close()
      else popup.move(key === 'ArrowDown' ? 1 : -1)
      return true
    }
    if (!popup) return false
    const current = popup.current()
    if (key === 'Enter' && current !== undefined) choose(current)
    else if (key === 'Enter' || key === 'Escape') close()
    else return false
    return true
  }

  async function open(fresh = false): Promise<void> {
    const current = show()
    popup?.announce(texts.asking)
    try {
      const known = await load(fresh)
      if (current !== turn) return
      offers = known
      fill(offers)
    } catch (problem) {
      if (current === turn) popup?.announce(problem instanceof Error ? problem.message : String(problem))
    }
  }

  /** While typing, the list opens only if it helps. */
  async function narrow(): Promise<void> {
    const current = ++turn
    const known = await load(false).catch(() => [])
    if (current !== turn || document.activeElement !== field) return
    offers = known
    const typed = (isSeveral() ? lastName(field.value) : field.value.trim()).toLowerCase()
    const fitting = offers.filter(({ name }) => name.toLowerCase().includes(typed))
    const isDone = fitting.length === 1 && fitting[0]?.name.toLowerCase() === typed
    if (!fitting.length || isDone) close()
    else {
      if (!popup) show()
      fill(fitting)
    }
  }

  function show(): number {
    close()
    popup = openPopup(field, { label, againText: texts.again, isSeveral: isSeveral(), chosen: choose })
    field.setAttribute('aria-expanded', 'true')
    field.setAttribute('aria-controls', popup.id)
    return turn
  }

  function fill(shown: readonly Offer[], current?: string) {
    const held = isSeveral() ? namesIn(field.value) : [field.value.trim()]
    if (shown.length) popup?.show(shown, held, current)
    else popup?.announce(texts.nothing)
  }

  function choose(name: string) {
    if (name === again) {
      inBackground(open(true))
      return
    }
    field.value = isSeveral() ? toggled(field.value, name) : name
    $(field).trigger('change')
    if (isSeveral()) fill(offers, name)
    else close()
  }

  function close() {
    turn++
    popup?.remove()
    popup = undefined
    field.setAttribute('aria-expanded', 'false')
    field.removeAttribute('aria-controls')
  }
}

/** Never takes the focus, which stays in the field. */
interface Popup {
  id: string
  /** `marked`: in the field; `current`: highlighted. */
  show: (offers: readonly Offer[], marked: readonly string[], current?: string) => void
  announce: (text: string) => void
  move: (step: 1 | -1) => void
  /** The highlighted name; `again` for the last entry. */
  current: () => string | undefined
  remove: () => void
}

/** The entry that queries the device again; no name is empty. */
const again = ''

interface PopupOptions {
  /** For screen readers. */
  label: string
  againText: string
  isSeveral: boolean
  chosen: (name: string) => void
}

let count = 0

function openPopup(field: HTMLElement, { label, againText, isSeveral, chosen }: PopupOptions): Popup {
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

  // The field keeps the focus.
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
    announce: (text) => {
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

/** `fps, exp_auto` */
export const namesIn = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** After the last comma. */
const lastName = (text: string): string => text.slice(text.lastIndexOf(',') + 1).trim()

/** Adds or removes a name; replaces a partly typed one. */
function toggled(text: string, name: string): string {
  const names = namesIn(text)
  if (names.includes(name)) return names.filter((other) => other !== name).join(', ')
  const half = lastName(text)
  const complete = half && name.includes(half) ? names.slice(0, -1) : names
  return [...complete, name].join(', ')
}
