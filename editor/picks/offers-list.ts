import { sharedText } from '../shared-text'
import { combobox } from './combobox'
import type { Offer } from './offers'

interface Options {
  /** Element that receives the button. */
  place: JQuery
  /** The visible text field. */
  shown: JQuery
  /** Accessible name. */
  name: string
  load: (fresh: boolean) => Promise<readonly Offer[]>
  isActive: () => boolean
}

/** Adds a list of what the device offers to a text field of a form, with a button that opens it. */
export function offersList({ place, shown, name, load, isActive }: Options): void {
  const button = pickButton(name).appendTo(place)
  const [field] = shown.get() as HTMLInputElement[]
  const [opener] = button.get()
  if (!field || !opener) return
  combobox({
    field,
    button: opener,
    label: pickName(name),
    texts: pickTexts(),
    load,
    isSeveral: () => false,
    isActive,
  })
  const update = () => {
    button.toggle(isActive())
    place.toggleClass('vision-has-offers', isActive())
  }
  place.on('change', update)
  update()
}

export const pickName = (field: string): string => sharedText('spoken.offers', { field })

/** The button that opens the list of a field. */
export function pickButton(name: string): JQuery {
  const spoken = pickName(name)
  return $('<button type="button" class="red-ui-button vision-pick-button">')
    .attr({ 'aria-label': spoken, title: spoken })
    .append('<i class="fa fa-caret-down" aria-hidden="true"></i>')
}

export const pickTexts = () => ({
  asking: sharedText('pick.asking'),
  nothing: sharedText('pick.nothing'),
  again: sharedText('pick.again'),
})
