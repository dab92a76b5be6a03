import should from 'should'
import { testCertificate } from '../support/test-certificate'
import { startGrpcServer, type GrpcCall, type GrpcServer } from './grpc-server'
import { setBytes } from './messages'
import { failureOf, nextOf, useLinks } from './use-links'

describe('the image stream over TLS', () => {
  const links = useLinks()
  const servers: GrpcServer[] = []
  const start = async (options: Parameters<typeof startGrpcServer>[0]) => {
    const server = await startGrpcServer(options)
    servers.push(server)
    return server
  }
  afterEach(() => servers.splice(0).forEach((server) => server.stop()))
  const ca = testCertificate.cert
  const answer = (call: GrpcCall) => call.write(setBytes())

  it('trusts the given authority, and no other', async () => {
    const { port } = await start({ images: answer, tls: testCertificate })
    const tls = { ca, servername: 'localhost' }
    should((await nextOf(links.images({ port, tls }))).left).be.ok()
    should((await nextOf(links.images({ port, host: 'localhost', tls: { ca } }))).left).be.ok()
    for (const unknown of [{ servername: 'localhost' }, { ca, servername: 'other' }])
      (await failureOf(links.images({ port, tls: unknown }).next())).should.have.properties({
        ...{ code: 'UNREACHABLE', key: 'images-certificate' },
      })
  })

  it('says that the device requires a client certificate', async () => {
    const { port } = await start({ images: answer, tls: { ...testCertificate, requires: true } })
    const tls = { ca, servername: 'localhost' }
    for (let time = 0; time < 10; time++)
      (await failureOf(links.images({ port, tls }).next())).should.have.properties({
        ...{ code: 'UNREACHABLE', key: 'images-certificate' },
      })
    const own = { ...tls, ...testCertificate }
    should((await nextOf(links.images({ port, tls: own }))).left).be.ok()
  })

  it('is told apart from a server without TLS, and from a certificate that is none', async () => {
    const { port } = await start({ images: answer })
    ;(await failureOf(links.images({ port, tls: {} }).next())).key.should.equal('images-not-tls')
    const broken = links.images({ port, tls: { cert: 'none', key: 'none' } })
    ;(await failureOf(broken.next())).key.should.equal('images-certificate')
  })
})
