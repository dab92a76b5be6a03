import { propertiesOf, type Item, type Step } from './message'
import { objectIn } from './object-in'
import { wordOfBits } from './preset-lines'
import type { MessageProtocol } from './protocol'
import { single } from './single'

/** `node-red-contrib-s7`: names are those of the endpoint's variables. */
export const s7: MessageProtocol = {
  id: 's7',
  by: 'name',
  prefix: '',
  preset: wordOfBits,
  read: (message, wanted) => objectIn(propertiesOf(message)['payload'], wanted) ?? single(message, wanted),
  write: (items, isChanged) => {
    const steps: Item[][] = []
    let isOpen = false
    for (const item of items.filter(isChanged)) {
      if (!isOpen) steps.push([])
      steps.at(-1)?.push(item)
      isOpen = !isOdd(item)
    }
    return steps.map(toStep)
  },
}

/** The node sends no fill byte: what follows an odd number of bytes would be refused, after the first was written. */
const isOdd = ({ type, value }: Item): boolean =>
  type === 'bit' ||
  ((type === 'STRING' || type === 'bytes') && (value as string | Uint8Array).length % 2 === 1)

const toStep = (items: Item[]): Step => ({
  items,
  message: {
    variable: items.map(({ key }) => key),
    payload: items.map(({ value }) => (value instanceof Uint8Array ? [...value] : value)),
  },
})
