import type { RowLabel } from './row-label'

export type MapFaultKey =
  | 'map-row'
  | 'map-address'
  | 'map-end'
  | 'map-name'
  | 'map-type'
  | 'map-bit'
  | 'map-no-bit'
  | 'map-index'
  | 'map-component'
  | 'map-path'
  | 'map-length'
  | 'map-unit'
  | 'map-scale'
  | 'map-order'
  | 'map-area'
  | 'map-overlap'
  | 'map-twice'
  | 'map-mixed-word'
  | 'map-alternates'

/** Something that a map cannot have, or should not. */
export interface MapFault {
  /** Key of its sentence. */
  key: MapFaultKey
  /** An error cannot be used; a warning costs time. */
  severity: 'error' | 'warning'
  /** Place of the line in the map, from 0. */
  line: number
  values: Record<string, string | number | RowLabel>
}
