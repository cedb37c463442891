import { createFaceWorkers, type FaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createLog } from '../log.ts'
import { createDecoders, type Decoders } from '../photos/decoders.ts'

interface Engines {
  decoders: Decoders
  faceWorkers: FaceWorkers
}

let engines: Engines | undefined

/** The decoders and the embedded face engine of all services that tests start in this process. A face engine takes a
 *  second of processor time to start, for photos and again for selfies. They end with this process. */
export function sharedEngines(): Engines {
  const log = createLog('silent')
  const close = async () => {}
  engines ??= {
    decoders: { ...createDecoders({ log }), close },
    faceWorkers: { ...createFaceWorkers({ log, size: 1 }), close },
  }
  return engines
}
