import type { OutcomeSummary } from '../shared/outcome'
import { told } from './sentences'

/** How many destinations a stream has, for people. */
export const toldDestinations = (stream: string, { length: count }: readonly string[]): OutcomeSummary =>
  told('result-destinations', { stream, count }, { value: count })
