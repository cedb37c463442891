/** What a visitor has done in a grid of photos. A page that asks for the password again gives it back to the grid
 *  afterwards. */
export interface KeptGrid {
  /** Names the grid in the browser's history. */
  readonly id: number
  /** The paths of the chosen photos; undefined while the visitor does not choose. */
  chosen?: ReadonlySet<string> | undefined
  /** How many photos the visitor has asked to see. */
  limit?: number
}

export const newKeptGrid = (): KeptGrid => ({ id: Math.random() })
