import { makeMissingPlaceholders } from '../photos/missing-placeholders.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

export const makePlaceholdersEveryMinute = defineHandler(queues.makePlaceholders, {
  handle: (deps) => makeMissingPlaceholders(deps),
})
