export type { MapBlock } from './blocks'
export { checkMap } from './check-map'
export type { MapFault } from './map-fault'
export { mapFaultText, valueFaultError } from './data-error'
export {
  textOrders,
  wordOrders,
  type MapArea,
  type MapLine,
  type PlcMap,
  type TextOrder,
  type WordOrder,
} from './map'
export type { NamedValue } from './named-values'
export { openMap, type OpenMap, type ShownValue } from './open-map'
export { labelOf, type Slot } from './slots'
export type { PlcValue, ValueFault } from './typed-value'
export { units, type AngleUnit, type LengthUnit, type TimeUnit, type Unit } from './units'
