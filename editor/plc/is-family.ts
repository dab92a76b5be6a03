import type { MapLine } from '../../lib/plc/data/map'

/** Whether lines are those of the handshake, in any order, or none at all. */
export const isFamily = (lines: readonly MapLine[], family: readonly MapLine[]): boolean =>
  lines.length === 0 ||
  (lines.length === family.length &&
    JSON.stringify(lines.map(canonical).sort()) === JSON.stringify(family.map(canonical).sort()))

const canonical = (line: MapLine): string =>
  JSON.stringify(Object.entries(line).sort(([one], [other]) => (one < other ? -1 : 1)))
