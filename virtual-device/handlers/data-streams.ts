import type { Handlers } from './handler'

export const dataStreams = {
  listStreams: ({ streams }) => streams.list(),
  getStream: ({ streams }, { stream }) => streams.get(stream),
  addDestination: ({ streams }, { stream, destination }) => {
    streams.add(stream, [destination].flat())
    return streams.get(stream)
  },
  removeDestination: ({ streams }, { stream, destination }) => {
    streams.remove(stream, destination === undefined ? undefined : [destination].flat())
    return streams.get(stream)
  },
} satisfies Partial<Handlers>
