export type { MapBlock } from './open-map'
export { checkMap } from './check-map'
export type { MapFault } from './check-map'
export { mapFaultText, valueFaultError } from './check-map'
export {
  textOrders,
  wordOrders,
  type MapArea,
  type MapLine,
  type PlcMap,
  type TextOrder,
  type WordOrder,
} from './map'
export type { NamedValue } from './open-map'
export { openMap, type OpenMap, type ShownValue } from './open-map'
export { labelOf, type Slot } from './map'
export type { PlcValue, ValueFault } from './values'
export { units, type AngleUnit, type LengthUnit, type TimeUnit, type Unit } from './map'
