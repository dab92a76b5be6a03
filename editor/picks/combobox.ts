import { lastName, namesIn, toggled } from './names'
import type { Offer } from './offers'
import { again, openPopup, type Popup } from './popup'

export interface Combobox {
  /** The visible text field. */
  field: HTMLInputElement
  /** Opens and closes the list, as an alternative to the keyboard. */
  button: HTMLElement
  /** Accessible name of the list. */
  label: string
  texts: { asking: string; nothing: string; again: string }
  /** Loads the list; rejects with an error whose message gives the reason. */
  load: (fresh: boolean) => Promise<readonly Offer[]>
  /** Whether the field takes several comma-separated names. */
  isSeveral: () => boolean
  isActive: () => boolean
}

/** Makes a text field a combobox: typing filters the list, and any text is accepted. */
export function combobox({ field, button, label, texts, load, isSeveral, isActive }: Combobox): void {
  let popup: Popup | undefined
  let offers: readonly Offer[] = []
  let turn = 0

  $(field)
    .attr({ role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', autocomplete: 'off' })
    .on('input', () => isActive() && void narrow())
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
      else void open()
    })

  /** Whether the key was handled here. */
  function pressed(key: string, alt: boolean): boolean {
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!popup) void open()
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
    const mine = show()
    popup?.say(texts.asking)
    try {
      const known = await load(fresh)
      if (mine !== turn) return
      offers = known
      fill(offers)
    } catch (problem) {
      if (mine === turn) popup?.say(problem instanceof Error ? problem.message : String(problem))
    }
  }

  /** While somebody types, the list opens only if it helps, because any text is accepted. */
  async function narrow(): Promise<void> {
    const mine = ++turn
    const known = await load(false).catch(() => [])
    if (mine !== turn || document.activeElement !== field) return
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
    else popup?.say(texts.nothing)
  }

  function choose(name: string) {
    if (name === again) return void open(true)
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
