import type { MapLine } from '../../lib/plc/data/map'
import type { EditedLine } from '../../nodes/plc-handshake/edit-map'

/** A line of the map in its table. */
export interface EditedRow {
  line: EditedLine
  place: number
  by: 'address' | 'name'
}

/** Puts a line in the place of another. */
export type Change = (place: number, line: MapLine) => void
