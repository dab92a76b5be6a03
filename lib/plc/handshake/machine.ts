import { clearAnswer, showNext } from './answer'
import { beginByHand, beginWaiting, end, settle } from './cycle'
import type { Effect, HandshakeEvent, Phase } from './events'
import { onClose, onLink } from './interrupt'
import { onClock, wakeAtOf } from './life'
import { lookWhenDue, onSample } from './look'
import { settled, type HandshakeOptions } from './options'
import { show } from './show'
import { initialState, type Turn } from './state'
import { phaseOf } from './words'

/** The handshake with one PLC: events and time come in, what to do comes out. Keeps no timer and no socket. */
export interface Handshake {
  /** What to do, in this order. After `close` nothing any more. @param now milliseconds of a monotonic clock */
  handle: (event: HandshakeEvent, now: number) => Effect[]
  /** When to send `clock` at the latest; undefined: not before another event. */
  readonly wakeAt: number | undefined
  readonly phase: Phase
}

/**
 * A handshake of one family that knows nothing of its PLC yet. A request that is already there at the first look, or after
 * a loss, is answered with a code and never executed; each other is executed once at most, and gets its own answer.
 */
export function createHandshake(options: HandshakeOptions): Handshake {
  const all = settled(options)
  const turn: Turn = { state: initialState(all), options: all, now: options.now, effects: [] }

  return {
    handle(event, now) {
      if (turn.state.closed) return []
      turn.now = Math.max(now, turn.now)
      turn.effects = []
      // What was due before comes first: a result after its deadline is late.
      onClock(turn)
      lookWhenDue(turn)
      take(turn, event)
      clearAnswer(turn)
      showNext(turn)
      beginWaiting(turn)
      show(turn)
      return turn.effects
    },
    get wakeAt() {
      return wakeAtOf(turn)
    },
    get phase() {
      return phaseOf(turn)
    },
  }
}

function take(turn: Turn, event: HandshakeEvent): void {
  const { state, options } = turn
  switch (event.type) {
    case 'sample':
      if (state.link) onSample(turn, event)
      return
    case 'link': {
      onLink(turn, event.up, event.own === true)
      return
    }
    case 'read': {
      // A PLC that reads on and on, and never the state, does not look at flags.
      const isSeen = event.state || turn.now >= Math.max(state.readAt, state.downAt) + options.unasked
      if (isSeen) state.readAt = turn.now
      return
    }
    case 'device':
      state.device = event.ready
        ? { ready: true, code: options.codes.DONE, reason: 'none' }
        : { ready: false, code: event.code, reason: event.reason }
      return
    case 'result': {
      end(turn, event.token, options.codes.DONE, event.data)
      return
    }
    case 'error': {
      end(turn, event.token, event.code)
      return
    }
    case 'settled': {
      if (state.call?.answered && state.call.cycle.token === event.token) settle(turn, state.call)
      return
    }
    case 'manual': {
      beginByHand(turn)
      return
    }
    case 'clock':
      return
    case 'close': {
      onClose(turn)
      return
    }
  }
}
