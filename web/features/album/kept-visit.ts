import { type KeptGrid, newKeptGrid } from '../photos/kept-grid.ts'
import type { Found } from './found.ts'

/** Where a visitor was in an album, for when they have entered the password again. */
export interface KeptVisit {
  /** Whether the visitor has lost their access. */
  hasEnded: boolean
  /** What their last search has found. */
  found: Found | null
  results: KeptGrid
  /** The grid of all photos. */
  all: KeptGrid
  /** How far the page was scrolled, in pixels. */
  top: number
}

export const newKeptVisit = (): KeptVisit => ({
  hasEnded: false,
  found: null,
  results: newKeptGrid(),
  all: newKeptGrid(),
  top: 0,
})
