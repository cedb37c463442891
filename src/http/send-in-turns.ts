import type { ServerResponse } from 'node:http'
import type { FairPlaces } from './fair-places.ts'

/** Lets a long answer go on when it is the turn of its network. Otherwise hundreds of answers would each send a piece in
 *  every turn of the event loop, until the buffers of their connections are full, and nobody else would get an answer
 *  meanwhile. An answer whose client does not take it has no place. */
export function sendInTurns(response: ServerResponse, network: string, turns: FairPlaces): void {
  const emit = response.emit.bind(response)
  // Whatever is piped into an answer waits for this event after each piece.
  response.emit = (event: string | symbol, ...values: unknown[]) => {
    if (event !== 'drain') return emit(event, ...values)
    const turn = {
      caller: network,
      places: 1,
      enter() {
        emit('drain')
        turns.leave(turn)
      },
      refuse: () => void response.destroy(),
    }
    turns.ask(turn)
    return true
  }
}
