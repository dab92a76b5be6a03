import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from './free-ports'

interface Nginx {
  url: string
  port: number
  stop: () => Promise<void>
}

interface NginxOptions {
  /** Address to which it passes requests. */
  target: string
  /** Further directives of the server, such as those of TLS. */
  server?: string
  /** Whether to add `ssl` to its port. */
  tls?: boolean
  /** Files used by the directives, by name; `{{folder}}` in the directives is their folder. */
  files?: Readonly<Record<string, string>>
}

/** A real nginx on a free port of 127.0.0.1, configured as in docs/gateway.md: it repeats nothing. */
export async function startNginx({ target, server = '', tls, files = {} }: NginxOptions): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const [port = 0] = await freePorts(1)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, configuration(folder, port, target, server, tls ? ' ssl' : ''))

  const program = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', conf], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  })
  let said = ''
  program.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const gone = new Promise<void>((resolve) => {
    program.on('error', (error) => {
      said += error.message
      resolve()
    })
    program.on('exit', () => resolve())
  })
  const stop = async () => {
    program.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }

  while (!(await answers(port))) {
    // It answers, or it has ended with an error.
    if (program.exitCode !== null || program.pid === undefined)
      throw new Error(`nginx did not start: ${said}`)
    await sleep(10)
  }
  return { url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${port}`, port, stop }
}

const configuration = (folder: string, port: number, target: string, server: string, tls: string) => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr crit;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port}${tls};
    ${server.replaceAll('{{folder}}', folder)}
    location / {
      proxy_pass ${target};
      proxy_next_upstream off;
    }
  }
}
`

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
