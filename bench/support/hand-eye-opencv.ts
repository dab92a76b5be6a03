import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { homogeneousOf, inverted, poseOfHomogeneous, type Pose } from '../../lib/robotics'
import type { HandEyeSet } from './hand-eye-sets'

/** Camera poses by method, one per set; undefined where it failed. */
type OpenCvSolutions = ReadonlyMap<string, readonly (Pose | undefined)[]>

/** Debian's OpenCV needs Debian's Python, which may not be the first on the path. */
const interpreters = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter((each) => each !== undefined)
const script = join(__dirname, 'hand-eye-opencv.py')
const mostBytes = 2 ** 30

/** Undefined if no Python has OpenCV. */
export function solvedByOpenCv(sets: readonly HandEyeSet[]): OpenCvSolutions | undefined {
  const input = sets.map((set) => JSON.stringify(asMatrices(set))).join('\n')
  for (const interpreter of interpreters) {
    const { status, stdout } = spawnSync(interpreter, [script], {
      input,
      encoding: 'utf8',
      maxBuffer: mostBytes,
    })
    if (status === 0) return found(stdout.trim().split('\n'))
  }
  return undefined
}

function asMatrices({ robotMounted, observations }: HandEyeSet) {
  return {
    arms: observations.map(({ robot }) => homogeneousOf(robotMounted ? robot : inverted(robot))),
    seen: observations.map(({ grid }) => homogeneousOf(grid)),
  }
}

function found(lines: readonly string[]): OpenCvSolutions {
  const answers = lines.map((line) => JSON.parse(line) as Record<string, number[] | null>)
  const methods = Object.keys(answers[0] ?? {})
  return new Map(
    methods.map((method) => [
      method,
      answers.map((answer) => {
        const matrix = answer[method]
        return matrix ? poseOfHomogeneous(matrix) : undefined
      }),
    ]),
  )
}
