import { createClient, type Client, type Result } from '../../lib'

type Log = Result<'getLog'>

/** Checked by the compiler, never run. */
export function checks(client: Client, signal: AbortSignal, format: string) {
  const input = { pipeline: '0', node: 'dev_camera', param: 'fps' }
  const log = { log: 'api.log' }
  void (client.getParameter(input, { signal }) satisfies Promise<Result<'getParameter'>>)
  void (client.getLog({ ...log, format: 'raw' }) satisfies Promise<string>)
  void (client.getLog({ ...log, format: 'json', limit: 5 }) satisfies Promise<Log>)
  void (client.getLog(log) satisfies Promise<Log>)
  void (client.getLog({ ...log, format }) satisfies Promise<Log | string>)
  // @ts-expect-error it is one or the other
  void (client.getLog({ ...log, format }) satisfies Promise<Log>)
  // @ts-expect-error it is text
  void (client.getLog({ ...log, format: 'raw' }) satisfies Promise<Log>)
  const template = { node: 'dev_boxpick', id: 'carton' }
  void (client.getTemplate(template) satisfies Promise<{ id: string }>)
  void (client.getTemplate({ ...template, format: 'file' }) satisfies Promise<Buffer>)
  // @ts-expect-error it is a file
  void (client.getTemplate({ ...template, format: 'file' }) satisfies Promise<{ id: string }>)
  // @ts-expect-error there is no such format
  void client.getTemplate({ ...template, format: 'text' })
  // @ts-expect-error a number of frames is no text until somebody says so
  void (client.getParameter(input) satisfies Promise<{ value: string }>)

  void client.getSystem({ deadline: 100 })
  void client.getSystem()
  void client.getBackup()
  void client.getBackup({ grippers: false }, { signal })
  void client.uploadFirmware({ file: '/tmp/image' }, { onProgress: ({ sent, total }) => sent / total })
  void client.uploadLicense({ file: new Uint8Array() })
  void client.request('getSystem', {}, { signal })

  // @ts-expect-error the pipeline is missing
  void client.getParameter({ node: 'a', param: 'b' })
  // @ts-expect-error the input is missing
  void client.getParameter()
  // @ts-expect-error there is no such input
  void client.getParameter({ ...input, more: 1 })
  // @ts-expect-error a pipeline is text
  void client.getParameter({ ...input, pipeline: 0 })
  // @ts-expect-error options come first where there is no input
  void client.getSystem({}, { signal })
  // @ts-expect-error a file is a path or bytes
  void client.uploadLicense({ file: 7 })
  // @ts-expect-error there is no such operation
  void client.request('getEverything')
  // @ts-expect-error there is no such option
  void client.getSystem({ timeout: 5 })
  // @ts-expect-error the address is missing
  createClient({})
  // @ts-expect-error there is no such format
  createClient({ address: 'a', format: 'xml' })
}

// @ts-expect-error there is no such operation
export type NoSuchMethod = Client['getEverything']
