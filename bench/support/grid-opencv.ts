import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poseOfHomogeneous, type Pose } from '../../lib/robotics'
import type { GridPattern } from '../../lib/images/grid'
import type { CameraPicture } from './grid-pictures'

export interface OpenCvGrid {
  pose: Pose | undefined
  milliseconds: number
}

const interpreters = [process.env.PYTHON, 'python3', '/usr/bin/python3'].filter((each) => each !== undefined)
const script = join(__dirname, 'grid-opencv.py')

/** By search and picture; undefined if no Python has OpenCV. */
export function gridsOfOpenCv(
  pictures: readonly CameraPicture[],
  pattern: GridPattern,
): Record<string, OpenCvGrid>[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'grids-'))
  try {
    const cases = pictures.map(({ width, height, data, focalLength, principalPoint }, index) => {
      const file = join(folder, `${index}.pgm`)
      writeFileSync(file, Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), data]))
      return JSON.stringify({ file, focal: focalLength, ...principalPoint, ...pattern })
    })
    for (const interpreter of interpreters) {
      const { status, stdout } = spawnSync(interpreter, [script], {
        input: cases.join('\n'),
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      })
      if (status === 0) return stdout.trim().split('\n').map(answersIn)
    }
    return undefined
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function answersIn(line: string): Record<string, OpenCvGrid> {
  const answers = JSON.parse(line) as Record<string, { pose: number[] | null; ms: number }>
  return Object.fromEntries(
    Object.entries(answers).map(([name, { pose, ms }]) => [
      name,
      { pose: pose ? poseOfHomogeneous(pose) : undefined, milliseconds: ms },
    ]),
  )
}
