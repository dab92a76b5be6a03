import type { Told } from '../shared/outcome'
import { told } from '../shared/told'

/** How many destinations a stream has, for people. */
export const toldDestinations = (stream: string, { length: count }: readonly string[]): Told =>
  told('result-destinations', { stream, count }, { value: count })
