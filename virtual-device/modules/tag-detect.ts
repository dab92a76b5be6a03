import { seesGrid, sightOf } from '../cell/sight'
import type { Tag } from '../detection/scene'
import { tagDetection } from '../detection/tag-detection'
import type { Environment } from '../module'
import { InvalidArgument } from '../services/arguments'

/** The tags beside the calibration grid while the camera sees that; undefined while it does not. */
function tagsAtGrid({ module, scenario }: Environment): Tag[] | undefined {
  const sight = sightOf(module('hand_eye_calibration'))
  if (!sight || !seesGrid(scenario(), sight)) return undefined
  const { tags, hindrance } = sight.grid()
  if (hindrance?.kind === 'covered') return []
  return tags.map((tag) => ({ ...tag, inverted: false }))
}

/** Number of ids, and cells along an edge including the border, by family. */
const families: Readonly<Record<string, { ids: number; cells: number }>> = {
  '16h5': { ids: 30, cells: 8 },
  '25h9': { ids: 35, cells: 9 },
  '36h10': { ids: 2320, cells: 10 },
  '36h11': { ids: 587, cells: 10 },
  '41h12': { ids: 2115, cells: 9 },
}

/** Detects AprilTags. */
export const aprilTagDetect = (environment: Environment) =>
  tagDetection(environment, {
    name: 'april_tag_detect',
    kind: 'april',
    instead: () => tagsAtGrid(environment),
    cells: ({ id }) => families[familyOf(id)]?.cells ?? 10,
    named: (id, argument) => {
      const family = families[familyOf(id)]
      const number = id.slice(familyOf(id).length)
      const known =
        family && (number === '' || (/^_\d+$/.test(number) && Number(number.slice(1)) < family.ids))
      if (!known) throw new InvalidArgument(`${argument}: '${id}' is neither a family nor one of its tags`)
      return number === '' ? (tag) => familyOf(tag.id) === id : (tag) => tag.id === id
    },
  })

const familyOf = (id: string): string => id.split('_', 1)[0] ?? ''

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
