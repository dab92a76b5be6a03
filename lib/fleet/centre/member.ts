import { isName, isPlant } from '../topics'

/** A device of a cell. */
export interface Member {
  plant: string
  cell: string
  device: string
}

/** A device as people write it, `north/cell-7/left`. A device's name may contain `/`. */
export const addressOf = ({ plant, cell, device }: Member): string => `${plant}/${cell}/${device}`

/** Reads `north/cell-7/left`; undefined for any other text. */
export function readAddress(text: string): Member | undefined {
  const [plant, cell, ...rest] = text.split('/')
  const device = rest.join('/')
  return isPlant(plant) && isName(cell) && device !== '' ? { plant, cell, device } : undefined
}
