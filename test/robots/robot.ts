import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { eventually } from '../support/eventually'

/** The socket of a robot program: it writes as it likes, and reads what has arrived. */
export class Robot {
  /** As they arrived. */
  readonly pieces: string[] = []
  readonly socket: Socket
  #rest = ''

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setEncoding('latin1').on('data', (piece: string) => {
      this.pieces.push(piece)
      this.#rest += piece
    })
    socket.on('error', () => undefined)
  }

  static async connect(port: number): Promise<Robot> {
    const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
    const robot = new Robot(socket)
    await once(socket, 'connect')
    return robot
  }

  /** Resolves when the text has left this computer's program. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => this.socket.write(text, 'latin1', () => resolve()))
  }

  /** The next line, without its end. */
  async line(): Promise<string> {
    return (await this.until('\n')).slice(0, -1)
  }

  /** Everything up to and with this text. */
  until(end: string): Promise<string> {
    return eventually(() => {
      const at = this.#rest.indexOf(end)
      if (at < 0) throw new Error(`no ${JSON.stringify(end)} in ${JSON.stringify(this.#rest)}`)
      const text = this.#rest.slice(0, at + end.length)
      this.#rest = this.#rest.slice(text.length)
      return text
    })
  }

  close(): void {
    this.socket.destroy()
  }
}
