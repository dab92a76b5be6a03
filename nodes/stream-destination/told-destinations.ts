import type { OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('stream-destination')

/** A summary of a stream's destinations. */
export const toldDestinations = (stream: string, { length: count }: readonly string[]): OutcomeSummary =>
  told('result-destinations', { stream, count }, { value: count })
