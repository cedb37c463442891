import { letterTokenInput } from '../contract/link-tokens.ts'
import { answerOptOutsInput, optOutsOutput, receiptInput, receiptOutput } from '../contract/opt-outs.ts'
import { answerOptOuts, listOptOuts } from '../opt-outs/owner-answers.ts'
import { readReceipt, undoOptOut } from '../opt-outs/receipts.ts'
import { procedure, rest, router } from './trpc.ts'

/** What is done with the receipt of an opt-out, and with the links of the owner's letter. The receipt, or the token in the
 *  link, is all that is needed. All are mutations, so that it is in no address. */
export const optOutsRouter = router({
  read: procedure
    .meta(rest('POST', '/opt-outs/read', 'Read what has become of an opt-out'))
    .input(receiptInput)
    .output(receiptOutput)
    .mutation(({ ctx: { services, visitor }, input: { receipt } }) =>
      readReceipt(services, { receipt, address: visitor.address }),
    ),

  undo: procedure
    .meta(rest('POST', '/opt-outs/undo', 'Undo an opt-out'))
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
