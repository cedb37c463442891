import { useState } from 'react'
import type { PossibleResult } from '../../../src/contract/submissions.ts'

export interface PossibleAnswer {
  photo: PossibleResult
  isMe: boolean
}

/** What the visitor says about the photos that may show them. Only this page knows it: the selfie is deleted, so a yes leads
 *  to no other photos.
 *  @param possible all that the visitor is asked about */
export function useAnswers(possible: readonly PossibleResult[]) {
  const [answers, setAnswers] = useState<readonly PossibleAnswer[]>([])
  return {
    last: answers.at(-1),
    /** Those without an answer. */
    open: possible.filter(({ face }) => !answers.some(({ photo }) => photo.face.id === face.id)),
    confirmed: answers.filter(({ isMe }) => isMe).map(({ photo }) => photo),
    answer: (photo: PossibleResult, isMe: boolean) => setAnswers((given) => [...given, { photo, isMe }]),
    undo: () => setAnswers((given) => given.slice(0, -1)),
  }
}
