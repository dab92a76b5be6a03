import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import 'should'

/** Runs a line of code with the client library as `lib` in a process of its own. */
const run = (line: string) =>
  execFileSync(
    process.execPath,
    ['-e', `const lib = require(${JSON.stringify(join(__dirname, '../../lib'))}); ${line}`],
    {
      encoding: 'utf8',
      timeout: 8000,
    },
  )

describe('loading the client library', () => {
  it('loads neither the network library nor the files of the schema library', () => {
    const loaded = run('console.log(Object.keys(require.cache).join("\\n"))')
    loaded.should.containEql('create-client')
    loaded.should.not.match(/[\\/]undici[\\/]/)
    loaded.should.not.match(/[\\/]@sinclair[\\/]/)
  })

  it('keeps no process alive, with or without clients', () => {
    run('lib.createClient({ address: "127.0.0.1:1" })')
    run(
      'lib.createClient({ address: "127.0.0.1:1", retries: 0 }).getSystem().catch((error) => console.log(error.code))',
    ).should.equal('UNREACHABLE\n')
  })

  it('does not keep a process alive with an idle connection', () => {
    const served = run(`
      const server = require('node:http').createServer((_, response) => response.end('{"enabled": true}')).listen(0, async () => {
        const client = lib.createClient({ address: '127.0.0.1:' + server.address().port })
        console.log(JSON.stringify(await client.getUiLock()))
        server.close()
        server.unref()
        setTimeout(() => process.exit(7), 5000).unref()
      })`)
    served.should.equal('{"enabled":true}\n')
  })
})
