import type { onRequestHookHandler } from 'fastify'
import { resetConnection, type Answers } from './answer'
import { onStalledBody } from './body-timeout'
import type { Device } from '../device/device'
import { ofApi, type Faults } from './faults'
import { Refusal } from '../refusal'
import type { UploadsUnderWay } from './uploads-under-way'

/** Handles a request before its operation is considered. */
export function frontDoor(
  device: Device,
  faults: Faults,
  answers: Answers,
  uploads: UploadsUnderWay,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { raw } = request
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = raw.headers
    if (length !== '0' || chunked !== undefined) {
      onStalledBody(raw, device.options.bodyTimeout, () => {
        answers.refuse(request, reply, new Refusal(408, 'the body did not arrive'))
        raw.socket.destroySoon()
      })
      if (ofApi(request.url)) uploads.follow(request, reply)
    }
    const reception = ofApi(request.url) ? faults.receive() : 'handle'
    if (reception === 'handle') done()
    else if (reception === 'reset') resetConnection(request, reply)
    else if (reception === 'starting')
      answers.refuse(request, reply, new Refusal(502, 'the device is starting'))
    else {
      reply.header('retry-after', reception.retryAfter)
      answers.refuse(request, reply, new Refusal(429, 'request frequency too high'))
    }
  }
}
