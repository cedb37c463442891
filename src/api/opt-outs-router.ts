import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { letterTokenInput } from '../contract/link-tokens.ts'
import { answerOptOutsInput, optOutsOutput, receiptInput, receiptOutput } from '../contract/opt-outs.ts'
import { invalidReceipt } from '../opt-outs/opt-out.ts'
import { answerOptOuts, listOptOuts } from '../opt-outs/owner-answers.ts'
import { nothingToUndo, readReceipt, undoOptOut } from '../opt-outs/receipts.ts'
import { invalidExample } from './call-docs.ts'
import { procedure, router } from './trpc.ts'

const errors = [invalidExample(receiptInput, {}), invalidReceipt(), tooManyCalls(RATE_LIMITS.wrongSecret)]

/** What is done with the receipt of an opt-out, and with the links of the owner's letter. The receipt, or the token in the
 *  link, is all that is needed. All are mutations, so that it is in no address. */
export const optOutsRouter = router({
  read: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/opt-outs/read',
        tags: ['albums'],
        summary: 'Read what has become of an opt-out',
        description: 'The receipt is all that is needed.',
      },
      docs: { caller: 'anyone', errors },
    })
    .input(receiptInput)
    .output(receiptOutput)
    .mutation(({ ctx: { services, visitor }, input: { receipt } }) =>
      readReceipt(services, { receipt, address: visitor.address }),
    ),

  undo: procedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/opt-outs/undo',
        tags: ['albums'],
        summary: 'Undo an opt-out',
        description:
          'Searches show its faces again, also those in photos that were added meanwhile: these are indexed again first. A request to hide photos that the owner has not answered is withdrawn. The receipt is all that is needed. It works until the faces are erased, and may be repeated.',
      },
      docs: { caller: 'anyone', errors: [...errors, nothingToUndo()] },
    })
    .input(receiptInput)
    .output(receiptOutput)
    .mutation(({ ctx: { services, visitor }, input: { receipt } }) =>
      undoOptOut(services, { receipt, address: visitor.address }),
    ),

  list: procedure
    .input(letterTokenInput)
    .output(optOutsOutput)
    .mutation(({ ctx: { services, visitor, origin }, input: { token } }) =>
      listOptOuts(services, { token, address: visitor.address }, origin),
    ),

  answer: procedure
    .input(answerOptOutsInput)
    .output(optOutsOutput)
    .mutation(({ ctx: { services, visitor, origin }, input }) =>
      answerOptOuts(services, { ...input, address: visitor.address }, origin),
    ),
})
