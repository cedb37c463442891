import { receiptInput, receiptOutput } from '../contract/opt-outs.ts'
import { readReceipt, undoOptOut } from '../opt-outs/receipts.ts'
import { procedure, rest, router } from './trpc.ts'

/** What is done with the receipt of an opt-out, which is all that is needed. Both are mutations, so that it is in no address. */
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
})
