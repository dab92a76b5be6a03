import type { Candidate } from '../../lib/robots'
import { listOfPoses, poseInAnswer } from '../shared/poses'

/**
 * The poses of an answer, in metres, with their scores: a pose as the device gives it, something with a `pose` and perhaps a
 * `quality` or `score`, or a list of these, the best first.
 * @returns none for nothing
 * @throws INVALID_INPUT where one of them is no pose
 */
export const candidatesIn = (given: unknown): Candidate[] =>
  listOfPoses(given).map((each, index) => candidateIn(each, index + 1))

function candidateIn(given: unknown, number: number): Candidate {
  const fields = Object(given) as Partial<Record<string, unknown>>
  const { pose = given, quality, score = quality, related, data } = fields
  const rated = typeof score === 'number' && Number.isFinite(score) ? score : 0
  return {
    pose: poseInAnswer(pose, number),
    score: rated,
    // Those that belong to it have none of their own.
    ...(Array.isArray(related) && {
      related: related.map((each: unknown) => {
        const { pose: other = each, data: numbers } = Object(each) as Partial<Record<string, unknown>>
        return { pose: poseInAnswer(other, number), ...dataIn(numbers) }
      }),
    }),
    ...dataIn(data),
  }
}

/** Whole numbers for data_4 to data_10; what is none is 0. */
const dataIn = (given: unknown): { data?: number[] } =>
  Array.isArray(given)
    ? {
        data: given.slice(0, 7).map((each: unknown) => {
          const number = typeof each === 'number' ? Math.round(each) : 0
          return Number.isSafeInteger(number) ? number : 0
        }),
      }
    : {}
