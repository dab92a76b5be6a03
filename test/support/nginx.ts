import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './free-ports'
import { answersAt, installedProgram } from './installed-program'

interface Nginx {
  url: string
  port: number
  stop: () => Promise<void>
}

interface NginxOptions {
  /** Upstream address. */
  target: string
  /** Further directives of the server. */
  server?: string
  /** Adds `ssl` to the port. */
  tls?: boolean
  /** By name; `{{folder}}` in the directives is their folder. */
  files?: Readonly<Record<string, string>>
}

/** On a free port of 127.0.0.1, as in docs/gateway.md: no retries. */
export async function startNginx({ target, server = '', tls, files = {} }: NginxOptions): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const [port = 0] = await freePorts(1)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, configuration(folder, port, target, server, tls ? ' ssl' : ''))

  const program = installedProgram('nginx', ['-e', 'stderr', '-p', folder, '-c', conf], () => answersAt(port))
  await program.start()
  const stop = async () => {
    await program.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
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
