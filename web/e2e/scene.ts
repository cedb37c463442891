import type { Stage } from './stage.ts'
import type { Visitor } from './visitor.ts'

/** A page in one of its states. `open` brings a visitor there and waits until it is drawn. */
export interface Scene {
  name: string
  open(visitor: Visitor, stage: Stage): Promise<void>
}
