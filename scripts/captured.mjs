import { spawn } from 'node:child_process'

/** Runs a program, and resolves with its status, all that it printed, and the seconds it took. */
export function captured(command, args, env = process.env) {
  const started = Date.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('close', (status) =>
      resolve({ status, output, seconds: Math.round((Date.now() - started) / 1000) }),
    )
  })
}

/**
 * Arguments of Node.js for programs that read all sources: what they create lives long enough that the usual small space
 * for new objects is copied again and again, which took a tenth of their time.
 */
export const forManyObjects = ['--max-semi-space-size=128']
