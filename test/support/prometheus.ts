import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './free-ports'
import { installedProgram } from './installed-program'

interface Prometheus {
  /** One value per series. */
  query: (expression: string) => Promise<{ labels: Record<string, string>; value: number }[]>
  /** Last scrape of each target. */
  targets: () => Promise<{ health: string; lastError: string }[]>
  stop: () => Promise<void>
}

/**
 * Debian's Prometheus on a free port of 127.0.0.1.
 * @param configuration of `prometheus.yml` @param files beside it, by name
 */
export async function startPrometheus(
  configuration: string,
  files: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const [port = 0] = await freePorts(1)
  for (const [name, text] of Object.entries({ ...files, 'prometheus.yml': configuration }))
    writeFileSync(join(folder, name), text)
  const program = installedProgram(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    () => get('/-/ready'),
  )
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  await program.start()

  return {
    query: async (expression) => {
      const answer = await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)
      const { data } = (await answer.json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] }
      }
      return data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }))
    },
    targets: async () => {
      const { data } = (await (await get('/api/v1/targets')).json()) as {
        data: { activeTargets: { health: string; lastError: string }[] }
      }
      return data.activeTargets
    },
    stop: async () => {
      await program.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** @throws unless successful */
export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr, error } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  const output = `${stdout}${stderr}${error?.message ?? ''}`
  if (status !== 0) throw new Error(`promtool ${args.join(' ')}: ${output}`)
  return output
}
