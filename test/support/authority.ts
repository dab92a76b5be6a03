import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CertificateFiles {
  cert: string
  key: string
}

/** Made by openssl in a folder. */
export class Authority {
  readonly ca: string
  readonly #key: string

  constructor(
    private readonly folder: string,
    private readonly name = 'plant',
  ) {
    this.ca = join(folder, `${name}-ca.pem`)
    this.#key = join(folder, `${name}-ca.key`)
    const own = ['-keyout', this.#key, '-out', this.ca, '-subj', `/CN=${name} authority`]
    openssl(['req', '-x509', ...ofKey, ...own, '-days', '2'])
  }

  /** For 127.0.0.1, as server or client. @param subject common name */
  sign(subject: string): CertificateFiles {
    const file = (end: string) => join(this.folder, `${this.name}-${subject}.${end}`)
    const [key, cert, request, extensions] = [file('key'), file('pem'), file('csr'), file('ext')]
    writeFileSync(extensions, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n')
    openssl(['req', ...ofKey, '-keyout', key, '-out', request, '-subj', `/CN=${subject}`])
    const authority = ['-CA', this.ca, '-CAkey', this.#key, '-CAcreateserial']
    openssl([
      'x509',
      '-req',
      '-in',
      request,
      ...authority,
      '-out',
      cert,
      '-days',
      '2',
      '-extfile',
      extensions,
    ])
    return { cert, key }
  }
}

const ofKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

const openssl = (args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' })

export const contentOf = ({ cert, key }: CertificateFiles) => ({
  cert: readFileSync(cert),
  key: readFileSync(key),
})
