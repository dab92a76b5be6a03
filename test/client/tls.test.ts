import should from 'should'
import { createClient, type Client, type ClientOptions } from '../../lib'
import { startNginx } from '../support/nginx'
import { json, startMisbehavingServer, type MisbehavingServer } from '../support/misbehaving-server'
import { testCertificate } from '../support/test-certificate'
import { failureOf, fps, whichFps } from './use-server'

describe('TLS', () => {
  let server: MisbehavingServer
  let strict: MisbehavingServer
  const clients: Client[] = []
  const ca = testCertificate.cert
  const strictly = { ...testCertificate, ca, requestCert: true }

  const client = (options: ClientOptions) => {
    const made = createClient(options)
    clients.push(made)
    return made
  }

  before(async () => {
    server = await startMisbehavingServer(testCertificate)
    strict = await startMisbehavingServer(strictly)
    server.behave(json(fps()))
    strict.behave(json(fps()))
  })
  afterEach(() => Promise.all(clients.splice(0).map((one) => one.close())))
  after(() => Promise.all([server.stop(), strict.stop()]))

  it('trusts the given authority', async () => {
    ;(await client({ address: server.url, tls: { ca } }).getParameter(whichFps)).should.eql(fps())
  })

  it('trusts any certificate only if told to', async () => {
    const trusting = { address: server.url, tls: { rejectUnauthorized: false } }
    ;(await client(trusting).getParameter(whichFps)).should.eql(fps())
  })

  it('rejects a certificate of an unknown authority, after one attempt', async () => {
    const before = server.connections()
    const failure = await failureOf(client({ address: server.url }).getParameter(whichFps))
    failure.code.should.equal('UNREACHABLE')
    failure.message.should.containEql('certificate')
    should(failure.cause?.reason).equal('DEPTH_ZERO_SELF_SIGNED_CERT')
    ;(server.connections() - before).should.equal(1)
  })

  it('is distinguished from a server without TLS', async () => {
    const plain = await startMisbehavingServer()
    const address = plain.url.replace('http:', 'https:')
    const failure = await failureOf(client({ address }).getParameter(whichFps))
    await plain.stop()
    failure.should.have.properties({ code: 'UNREACHABLE', key: 'not-https' })
    plain.connections().should.equal(1)
  })

  it('rejects a certificate for another name', async () => {
    const address = server.url.replace('localhost', '127.0.0.1')
    const failure = await failureOf(client({ address, tls: { ca } }).getParameter(whichFps))
    should(failure.cause?.reason).equal('ERR_TLS_CERT_ALTNAME_INVALID')
    const named = client({ address, tls: { ca, servername: 'localhost' } })
    ;(await named.getParameter(whichFps)).should.eql(fps())
  })

  it('presents its own certificate', async () => {
    const known = client({ address: strict.url, tls: { ca, ...testCertificate } })
    ;(await known.getParameter(whichFps)).should.eql(fps())
  })

  /** Servers that require a certificate, by how they say so: in the handshake, after it, or on a page. */
  const wanting: Record<string, () => Promise<{ url: string; stop: () => Promise<void> }>> = {
    'TLS 1.2': () => startMisbehavingServer({ ...strictly, maxVersion: 'TLSv1.2' }),
    'TLS 1.3': () => startMisbehavingServer({ ...strictly, minVersion: 'TLSv1.3' }),
    nginx: () =>
      startNginx({
        target: server.url,
        tls: true,
        files: testCertificate,
        server: `
          ssl_certificate {{folder}}/cert;
          ssl_certificate_key {{folder}}/key;
          ssl_client_certificate {{folder}}/cert;
          ssl_verify_client on;
        `,
      }),
  }
  for (const [what, start] of Object.entries(wanting))
    it(`reports at once that the server requires a client certificate: ${what}`, async () => {
      const other = await start()
      try {
        const unknown = client({ address: other.url, tls: { ca } })
        for (const call of [
          unknown.getParameter(whichFps),
          unknown.setParameter({ ...whichFps, value: 10 }),
          unknown.callService({
            pipeline: '0',
            node: 'n',
            service: 's',
            args: { much: 'x'.repeat(300_000) },
          }),
        ])
          (await failureOf(call)).should.have.properties({ code: 'UNREACHABLE', key: 'certificate' })
      } finally {
        await other.stop()
      }
    })

  it('is reported as missing if plain HTTP reaches an HTTPS port', async () => {
    const plain = client({ address: server.url.replace('https', 'http'), retries: 0 })
    should(['BAD_REPLY', 'UNREACHABLE']).containEql((await failureOf(plain.getParameter(whichFps))).code)
  })
})
