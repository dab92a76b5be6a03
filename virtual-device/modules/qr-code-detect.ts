import { tagDetection } from '../detection/tag-detection'
import type { Environment } from '../module'
import { InvalidArgument } from '../services/invalid-argument'
import { tagsAtGrid } from './tags-at-grid'

/** Our choice: cells along an edge, as in a code for about 30 characters. */
const cells = 25

/** Detects QR codes; their text is their id. */
export const qrCodeDetect = (environment: Environment) =>
  tagDetection(environment, {
    name: 'qr_code_detect',
    kind: 'qr',
    instead: () => tagsAtGrid(environment),
    cells: () => cells,
    named: (id, argument) => {
      if (!/^[\u0000-\u007f]*$/.test(id))
        throw new InvalidArgument(`${argument}: only ASCII characters can be read`)
      return (tag) => tag.id === id
    },
  })
