/** Writes the face engine's networks into `models`, so that the service does not have to. */
import { loadFaceEngine } from '../src/faces/embedded/networks/engine.ts'

const { saveProblem } = await loadFaceEngine()
if (saveProblem) throw saveProblem
