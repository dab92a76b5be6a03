import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { request } from 'undici'

const cli = join(__dirname, '../../virtual-device/program/cli.js')

/** A virtual device in a process, outside the measurement. */
export async function deviceProgram(): Promise<{
  url: string
  imagePort: number
  stop: () => Promise<void>
}> {
  const program = spawn(process.execPath, [cli, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string]
  const [url = ''] = /http:\S+(?=\/api\/v2)/.exec(line) ?? []
  const { body } = await request(`${url}/virtual/ports`)
  const { images } = (await body.json()) as { images?: { port: number } }
  return {
    url,
    imagePort: images?.port ?? 0,
    stop: async () => {
      const ended = once(program, 'exit')
      program.kill()
      await ended
    },
  }
}

/** Otherwise the device sends only `imu`. */
export const startDynamics = (url: string): Promise<void> =>
  put(`${url}/api/v2/pipelines/0/nodes/dev_dynamics/services/start`, {})

/** In continuous mode, a device refuses triggers; also as fast as possible. */
export const takeSingleFrames = (url: string): Promise<void> =>
  put(
    `${url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters?acquisition_mode=SingleFrame&quality=Low`,
  )

/** @param destination `<ip>:<port>` */
export const addDestination = (url: string, stream: string, destination: string): Promise<void> =>
  put(`${url}/api/v2/datastreams/${stream}`, { destination })

async function put(url: string, json?: object): Promise<void> {
  const options = json && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) }
  const { statusCode, body } = await request(url, { method: 'PUT', ...options })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode} ${text}`)
}
