import { createElement, Fragment, type ReactNode } from 'react'
import type { Sentence as Parts } from '../../src/texts/sentence.ts'

/** A sentence with elements in it. */
export function Sentence({ of }: { of: Parts<ReactNode> }) {
  return createElement(Fragment, null, ...of)
}
